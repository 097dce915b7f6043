/** Types, lint, import rules, format and generated roles of the whole project; prints what failed, ends with 1 if anything did. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brokenImportRules } from './import-rules.ts';
import { missingPackages } from './missing-packages.ts';
import { ROOT } from './project.ts';

const CHECKS: readonly (readonly [string, ...string[]])[] = [
  ['tsc', '--noEmit'],
  ['oxlint', '--type-aware', '--deny-warnings'],
  ['biome', 'ci'],
];

const missing = missingPackages();
if (missing.length > 0) {
  process.stdout.write(`run npm install: ${missing.join(', ')} of package.json is not installed\n`);
  process.exit(1);
}
// One after another: each of them uses all processors by itself.
const failed: string[] = [];
for (const [tool, ...args] of CHECKS) {
  const { code, output } = await run(tool, args);
  if (code === 0) continue;
  failed.push(tool);
  process.stdout.write(`${output}\n`);
}
const broken = brokenImportRules();
if (broken.length > 0) {
  failed.push('import rules');
  process.stdout.write(`${broken.join('\n')}\n`);
}
const stale = await staleRoleFiles();
if (stale.length > 0) {
  failed.push('roles');
  process.stdout.write(`${stale.join(', ')}: not what the controllers declare, run npm run roles\n`);
}
process.stdout.write(failed.length === 0 ? 'types, lint and format are clean\n' : `failed: ${failed.join(', ')}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Only of sources that can be loaded at all. */
async function staleRoleFiles(): Promise<string[]> {
  if (failed.includes('tsc')) return [];
  const { roleFiles } = await import('../kubernetes/role-files.ts');
  return [...roleFiles()]
    .filter(([file, text]) => readFileSync(file, 'utf8') !== text)
    .map(([file]) => relative(ROOT, file));
}

function run(tool: string, args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
  const child = spawn(process.execPath, [join(ROOT, 'node_modules/.bin', tool), ...args], { cwd: ROOT });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }));
  });
}

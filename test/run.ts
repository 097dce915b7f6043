/**
 * `npm test [-- FILTER...]`: everything that can run here, and the closing line that counts it. With filters: only the test files
 * that match, without the conformance suite.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkoutFolder } from '../infra/local/paths.ts';
import { requiredScenarios, runScenarios, suiteIsHere } from './conformance/suite.ts';

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numFailedTestSuites: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

const filters = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'virt-functions-test-'));
const reportFile = join(folder, 'report.json');
const vitest = join(checkoutFolder, 'node_modules', 'vitest', 'vitest.mjs');
const args = [vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`, ...filters];
const { status } = spawnSync(process.execPath, args, { cwd: checkoutFolder, stdio: 'inherit' });

let passed = 0;
let failed = 0;
let skipped = 0;
try {
  const report = JSON.parse(readFileSync(reportFile, 'utf8')) as VitestReport;
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  skipped += report.numPendingTests + report.numTodoTests;
  // A file that could not even be loaded has failed, though it has no failed test.
  failed += report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
} catch {
  process.stderr.write('the test runner left no report\n');
  failed += 1;
}
// Whatever else the runner found wrong (an error outside a test, say) counts as well.
if (status !== 0 && failed === 0) failed += 1;
rmSync(folder, { recursive: true, force: true });

if (filters.length === 0) {
  const required = requiredScenarios();
  if (suiteIsHere()) {
    const result = await runScenarios(required).catch((error: unknown) => {
      process.stderr.write(`conformance: ${error instanceof Error ? error.message : String(error)}\n`);
      return { passed: 0, failed: required.length };
    });
    passed += result.passed;
    failed += result.failed;
  } else {
    process.stdout.write('conformance: skipped, the suite is not on this machine\n');
    skipped += required.length;
  }
}

process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exit(failed === 0 ? 0 : 1);

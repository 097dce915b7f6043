/**
 * `npm test [-- FILTER...]`: everything that can run here, and the closing line that counts it. With filters: only the test files
 * that match, on one implementation of the table, without the conformance suite.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { obtainParts } from '../infra/local/control-plane/obtain-parts.ts';
import { checkoutFolder } from '../infra/local/paths.ts';
import { requiredScenarios, runScenarios, suiteIsHere } from './conformance/suite.ts';
import { startMoto } from './moto.ts';

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numFailedTestSuites: number;
  readonly testResults: readonly {
    /** The file. */
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly unknown[];
  }[];
}

/** Tests of what talks to the table: they run on both implementations of it. */
const TABLE_TESTS = ['store', 'lease', 'http', 'resync'].map((folder) => join('test', 'functions', folder));

const filters = process.argv.slice(2);
let passed = 0;
let failed = 0;
let skipped = 0;

// Where it must be built first that takes minutes, and no single test is to wait for it.
await obtainParts(({ step, text }) => process.stdout.write(`${step}: ${text}\n`)).catch((error: unknown) => {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
});

const report = await runVitest(filters, {});

if (filters.length === 0) {
  const moto = await startMoto();
  if (moto.type === 'running') {
    process.stdout.write('the tests of the table again, on moto\n');
    await runVitest(TABLE_TESTS, { TEST_DYNAMODB_ENDPOINT: moto.endpoint });
    moto.stop();
  } else {
    process.stdout.write(`the tests of the table on moto: skipped, ${moto.reason}\n`);
    const files = (report?.testResults ?? []).filter(({ name }) => TABLE_TESTS.some((folder) => name.includes(folder)));
    skipped += files.reduce((sum, file) => sum + file.assertionResults.length, 0);
  }
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

/** Runs the test files that match and counts what became of them. `undefined`: there is no report. */
async function runVitest(
  matching: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<VitestReport | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'virt-functions-test-'));
  const file = join(folder, 'report.json');
  const vitest = join(checkoutFolder, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...matching];
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, args, { cwd: checkoutFolder, stdio: 'inherit', env });
  const status = await new Promise((resolve) => child.once('close', resolve));
  try {
    const result = JSON.parse(readFileSync(file, 'utf8')) as VitestReport;
    // A file that could not even be loaded has failed, though it has no failed test.
    const broken = result.testResults.filter((f) => f.status === 'failed' && f.assertionResults.length === 0).length;
    const failures = result.numFailedTests + broken;
    passed += result.numPassedTests;
    skipped += result.numPendingTests + result.numTodoTests;
    // Whatever else the runner found wrong (an error outside a test, say) counts as well.
    failed += status !== 0 && failures === 0 ? 1 : failures;
    return result;
  } catch {
    process.stderr.write('the test runner left no report\n');
    failed += 1;
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

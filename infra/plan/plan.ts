/** `npm run plan -- -f FILE`: the pod that a VM or VMI would get, and why, without a cluster. */
import { BadInput } from './bad-input.ts';
import { type Options, parseOptions } from './options.ts';
import { planPods } from './plan-pods.ts';

const options = optionsOrExit();
const { text, errors } = planPods(options);
process.stdout.write(text);
for (const line of errors) process.stderr.write(`${line}\n`);
process.exitCode = errors.length > 0 ? 1 : 0;

function optionsOrExit(): Options {
  try {
    return parseOptions(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

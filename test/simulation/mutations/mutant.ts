/**
 * `node mutant.ts NAME`: loads the product with one defect in it and runs the simulation until something is found. Prints one line
 * of JSON: what was found first, or nothing.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkoutFolder } from '../../../infra/local/paths.ts';
import { type Mutation, mutations } from './mutations.ts';

const mutation = mutations.find(({ name }) => name === process.argv[2]);
if (mutation === undefined) throw new Error(`no mutation is called ${process.argv[2]}`);
mutate(mutation);
const { hunt } = await import('./hunt.ts');
process.stdout.write(`${JSON.stringify(await hunt())}\n`);

function mutate({ file, find, put }: Mutation): void {
  const path = join(checkoutFolder, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(find).length !== 2) throw new Error(`${file} has not exactly one ${find}`);
  const url = pathToFileURL(path).href;
  registerHooks({
    load: (loaded, context, next) =>
      loaded === url
        ? { format: 'module-typescript', source: source.replace(find, () => put), shortCircuit: true }
        : next(loaded, context),
  });
}

/**
 * `node mutant.ts NAME [--hunt]`: loads the product with one defect in it and does the runs that are known to find it, or (`--hunt`)
 * all there are, until something is found. Prints one line of JSON: what was found first, or nothing.
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
const { hunt, look } = await import('./hunt.ts');
const found = process.argv[3] === '--hunt' ? await hunt() : await look(mutation.foundBy);
process.stdout.write(`${JSON.stringify(found)}\n`);

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

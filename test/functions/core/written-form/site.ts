import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The facts beside the checkout, which only some sites have. */
export const conformance = fileURLToPath(new URL('../../../../../shared/conformance/', import.meta.url));
export const isThere = existsSync(conformance);
export const whyNot = 'the conformance files are not beside this checkout';

export function readJson(...path: string[]): unknown {
  return JSON.parse(readFileSync(join(conformance, ...path), 'utf8'));
}

export function jsonFilesUnder(folder: string): string[] {
  return readdirSync(join(conformance, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name));
}

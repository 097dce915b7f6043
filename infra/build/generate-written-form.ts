/**
 * Writes `functions/core/written-form/types.ts`. Run it after an update of the package that declares the types, or of
 * `written-form-facts.ts`: `node infra/build/generate-written-form.ts`, then format the result with biome.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { kubevirtDeclarations } from './openapi-declarations.ts';
import { writtenFormTypes } from './written-form-types.ts';

const target = fileURLToPath(new URL('../../functions/core/written-form/types.ts', import.meta.url));
const LINE_WIDTH = 120;

const lines = Object.entries(writtenFormTypes(kubevirtDeclarations())).map(([name, members]) => {
  const line = `  ${name}: '${members}',`;
  return line.length <= LINE_WIDTH ? line : line.replace(': ', ':\n    ');
});
writeFileSync(
  target,
  `/**
 * The types of the written form; \`members.ts\` says how to read them.
 *
 * Written by infra/build/generate-written-form.ts. Do not edit.
 */
export const types = {
${lines.join('\n')}
} as const;
`,
);

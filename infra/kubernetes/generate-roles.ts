/** `npm run roles`: writes the relay's roles again, after a change of what some controller reads or writes. */
import { writeFileSync } from 'node:fs';
import { roleFiles } from './role-files.ts';

for (const [file, text] of roleFiles()) writeFileSync(file, text);

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const module = fileURLToPath(new URL('../../../../infra/local/processes/termination.ts', import.meta.url));
const program = `import { termination } from ${JSON.stringify(module)};
  const busy = setInterval(() => {}, 1000);
  const end = termination();
  console.log(process.pid);
  console.log(await end);
  clearInterval(busy);`;

test('SIGTERM is a reason to end', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (output.trim() === String(child.pid)) child.kill('SIGTERM');
  });
  expect((await once(child, 'exit'))[0]).toBe(0);
  expect(output).toBe(`${child.pid}\nSIGTERM\n`);
});

test('so is the end of the parent', async () => {
  // The shell stays the parent: with a second command after it, it does not replace itself by Node.
  const script = `"$0" --input-type=module -e "$1"; true`;
  const shell = spawn('sh', ['-c', script, process.execPath, program], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  shell.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (/^\d+\n$/.test(output)) shell.kill('SIGKILL');
  });
  await once(shell.stdout, 'close');
  expect(output).toMatch(/^\d+\nparent gone\n$/);
});

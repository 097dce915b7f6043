import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { BEAT } from '../guest/boot-sector.ts';
import { writeGuestImage } from '../guest/image.ts';
import { searchPath } from './command.ts';

/** No devices but those named. */
const BARE = ['-nodefaults', '-no-user-config', '-display', 'none'];

export type BootResult = { readonly type: 'booted' } | { readonly type: 'failed'; readonly why: string };

/** The processor that guests get by default, see domain-xml.ts: a host may boot others and fail at this one. */
const PROCESSOR = { kvm: 'host', tcg: 'max' } as const;

/** Whether the sample guest, run by QEMU directly, boots and counts within the limit. */
export async function bootsSampleGuest(
  accelerator: 'kvm' | 'tcg',
  folder: string,
  limitMs: number,
): Promise<BootResult> {
  const image = join(folder, `${accelerator}.img`);
  await writeGuestImage(image);
  const machine = `-accel ${accelerator} -cpu ${PROCESSOR[accelerator]} -machine q35 -m 32`.split(' ');
  const drive = `file=${image.replaceAll(',', ',,')},format=raw,if=virtio`;
  const args = [...machine, ...BARE, '-drive', drive, '-serial', 'stdio'];
  return new Promise((resolve) => {
    const child = spawn('qemu-system-x86_64', args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PATH: searchPath(), LC_ALL: 'C' },
    });
    const end = (result: BootResult): void => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      resolve(result);
    };
    const timer = setTimeout(() => end({ type: 'failed', why: `silent for ${limitMs / 1000} s` }), limitMs);
    let console = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => {
      console += chunk.toString('latin1');
      if (console.includes(`${BEAT}1`)) end({ type: 'booted' });
    });
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    child.on('error', (error) => end({ type: 'failed', why: error.message }));
    child.on('close', () => end({ type: 'failed', why: errors.trim().split('\n').at(-1) ?? 'QEMU ended' }));
  });
}

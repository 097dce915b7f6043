/**
 * moto's server, the second implementation of DynamoDB for the tests of the table: in a virtual environment of Python's under the
 * cache, made when it is first needed.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { cacheRoot } from '../infra/local/paths.ts';

const VERSION = '5.2.5';
const INSTALL_LIMIT_MS = 10 * 60_000;

export type Moto =
  | { readonly type: 'running'; readonly endpoint: string; stop(): void }
  | { readonly type: 'unavailable'; readonly reason: string };

/** Starts it on a free port. It keeps everything in memory. */
export async function startMoto(): Promise<Moto> {
  let server: ChildProcess;
  try {
    const python = await python3WithMoto();
    server = spawn(python, ['-m', 'moto.server', '-H', '127.0.0.1', '-p', '0'], { stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    return { type: 'unavailable', reason: lastLine(error instanceof Error ? error.message : String(error)) };
  }
  const endpoint = await addressOf(server);
  if (endpoint !== undefined) return { type: 'running', endpoint, stop: () => void server.kill() };
  server.kill();
  return { type: 'unavailable', reason: 'its server does not start' };
}

async function python3WithMoto(): Promise<string> {
  const folder = join(cacheRoot(), `moto-${VERSION}`);
  if (!existsSync(folder)) {
    // Made aside, so that what is there is whole. Its python finds it wherever it is.
    const aside = `${folder}-${process.pid}`;
    try {
      mkdirSync(cacheRoot(), { recursive: true });
      await run('python3', ['-m', 'venv', aside]);
      await run(join(aside, 'bin', 'python'), ['-m', 'pip', 'install', '-q', `moto[server,dynamodb]==${VERSION}`]);
      if (!existsSync(folder)) renameSync(aside, folder);
    } finally {
      rmSync(aside, { recursive: true, force: true });
    }
  }
  return join(folder, 'bin', 'python');
}

async function run(file: string, args: readonly string[]): Promise<void> {
  await promisify(execFile)(file, args, { timeout: INSTALL_LIMIT_MS });
}

/** It says on stderr where it listens, and has to be read to the end, or it would wait. */
async function addressOf(server: ChildProcess): Promise<string | undefined> {
  server.stdout?.resume();
  if (server.stderr === null) return undefined;
  const lines = createInterface({ input: server.stderr });
  return new Promise((resolve) => {
    lines.on('line', (line) => {
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
      if (address !== undefined) resolve(address);
    });
    lines.once('close', () => resolve(undefined));
    server.once('error', () => resolve(undefined));
  });
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? text;
}

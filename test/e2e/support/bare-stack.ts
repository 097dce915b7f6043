import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { installCrds } from '../../../infra/local/crds/install-crds.ts';
import { installKubeVirt } from '../../../infra/local/crds/install-kubevirt.ts';
import { connectionOf, type KubeRequest, kubeRequest } from '../../../infra/local/kube-client.ts';
import { checkoutFolder } from '../../../infra/local/paths.ts';
import { processesOf } from './processes-of.ts';

/** A bare stack as its users start it, with this project's own kinds installed. */
export interface BareStack {
  readonly kubeconfig: string;
  /** Script that runs kubectl on it. */
  readonly kubectl: string;
  readonly pids: { readonly relay: number[]; readonly functions: number[]; readonly table: number };
  readonly request: KubeRequest;
  /** Ends the functions' process as it is now, without a warning; the stack starts it again. */
  killFunctions(): void;
  stop(): Promise<void>;
}

export async function startBareStack(...args: string[]): Promise<BareStack> {
  const program = join(checkoutFolder, 'infra', 'local', 'stack.ts');
  const child = spawn(process.execPath, [program, '--bare', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4000);
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const line = await Promise.race([firstLine(child), exited.then(() => undefined)]);
  if (line === undefined) throw new Error(`the stack did not start:\n${said}`);
  const { kubeconfig, pids } = JSON.parse(line) as Pick<BareStack, 'kubeconfig' | 'pids'>;
  const request = kubeRequest(connectionOf(kubeconfig));
  await installCrds(request);
  await installKubeVirt(request, { useEmulation: false });
  return {
    kubeconfig,
    kubectl: join(dirname(kubeconfig), 'kubectl'),
    pids,
    request,
    killFunctions: () => {
      const running = processesOf(dirname(kubeconfig)).filter((p) => p.command.includes('functions-host.ts'));
      for (const { pid } of running) process.kill(pid, 'SIGKILL');
    },
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string | undefined> {
  if (!child.stdout) return undefined;
  for await (const line of createInterface({ input: child.stdout })) return line;
  return undefined;
}

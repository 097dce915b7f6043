/**
 * `npm start [-- --exit | --reset]`: the whole system on this machine, and a sample VM whose console is on the screen.
 *
 * Ends with 0 after Ctrl-C or SIGTERM, or when its parent is gone; data are kept. `--exit`: starts a fresh sample VM and ends
 * with 0 once three beats stood on its console and it then succeeded, with 1 after ten minutes without progress. `--reset`:
 * deletes the data of this checkout's stack.
 */
import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { writeGuestImage } from '../node/guest/image.ts';
import { consoleLogPath } from '../node/launcher/guest-store.ts';
import { installCrds } from './crds/install-crds.ts';
import { installKubeVirt } from './crds/install-kubevirt.ts';
import { createUnlessThere } from './create-unless-there.ts';
import { ApiError, type KubeRequest } from './kube-client.ts';
import { dataFolder, makePrivateFolder } from './paths.ts';
import { belongToStack } from './processes/origin.ts';
import { Supervisor } from './processes/supervisor.ts';
import { termination } from './processes/termination.ts';
import { startNodeAgent } from './stack/node-agent.ts';
import { type Stack, startStack } from './stack/stack.ts';
import { installStorageClasses } from './stack/storage-classes.ts';
import { checkSpace, deleteData, explain, messageOf, nodeFolderOf, takeData } from './start/data.ts';
import { findHypervisor } from './start/find-hypervisor.ts';
import { BEATS_BEFORE_POWER_OFF, images, SAMPLE_NAME, SAMPLE_NAMESPACE, sampleVm } from './start/sample-vm.ts';
import { Screen } from './start/screen.ts';
import { VmCourse } from './start/vm-course.ts';

const NO_PROGRESS_MS = 10 * 60_000;
const BEATS_WANTED = 3;
const vms = `/apis/kubevirt.io/v1/namespaces/${SAMPLE_NAMESPACE}/virtualmachines`;

function fail(message: string, code = 1): never {
  process.stderr.write(`start: ${message}\n`);
  process.exit(code);
}

function readFlags() {
  try {
    return parseArgs({
      options: { exit: { type: 'boolean', default: false }, reset: { type: 'boolean', default: false } },
    }).values;
  } catch (error) {
    return fail(`${messageOf(error)}\nusage: npm start [-- --exit | --reset]`, 2);
  }
}

const flags = readFlags();
const ended = termination();
const data = dataFolder();
const screen = new Screen(process.stdout);
belongToStack(data);
const supervisor = new Supervisor(join(data, 'logs'));
let stack: Stack | undefined;
let ending: Promise<never> | undefined;

/** Ends everything in its order, once; whoever asks later waits for the same end. */
function end(code: number, why?: string): Promise<never> {
  ending ??= (async () => {
    if (why !== undefined) screen.happened(why);
    screen.report({ step: 'stopping', text: 'guests and processes' });
    await supervisor.stop();
    await stack?.stop();
    screen.line();
    process.exit(code);
  })();
  return ending;
}

let progressAt = performance.now();
const progressed = (): void => {
  progressAt = performance.now();
};
void ended.then((why) => end(flags.exit ? 1 : 0, why === 'SIGINT' ? 'Ctrl-C' : why));

try {
  await takeData(data, screen.happened);
  if (!flags.reset) checkSpace(data);
} catch (error) {
  fail(messageOf(error));
}
if (flags.reset) {
  await deleteData(data);
  process.stdout.write(`data deleted: ${data}\n`);
  process.exit(0);
}

try {
  await bringUp();
} catch (error) {
  await end(1, explain(error, data));
}

async function bringUp(): Promise<void> {
  const nodeFolder = nodeFolderOf(data);
  makePrivateFolder(nodeFolder);
  screen.report({ step: 'hypervisor', text: 'looking what runs guests here' });
  const probing = findHypervisor(nodeFolder);
  probing.catch(() => undefined);
  stack = await startStack({
    dataDir: data,
    data: 'kept',
    scheduler: true,
    supervisor,
    launcherImage: 'virt-launcher',
    exporterImage: 'virt-exportserver',
    report: (progress) => {
      progressed();
      screen.report(progress);
    },
    tell: screen.happened,
  });
  // The table runs in this process; what its database reports later can only be caught here.
  process.on('uncaughtException', (error) => void end(1, explain(error, data)));
  const { controlPlane, relay } = stack;
  if (controlPlane === undefined) throw new Error('no control plane');
  controlPlane.onExit((crash) => void end(1, explain(crash, data)));
  const { request, kubeconfigPath, kubectlPath } = controlPlane;

  const probe = await probing;
  screen.report({
    step: 'hypervisor',
    text: probe.reason === undefined ? probe.kind : `${probe.kind} (${probe.reason})`,
  });
  screen.report({ step: 'KubeVirt', text: 'installing kinds and configuration' });
  await installCrds(request);
  await installKubeVirt(request, { useEmulation: probe.kind !== 'libvirt-kvm' });
  await installStorageClasses(request);
  screen.report({ step: 'KubeVirt', text: 'installed' });

  await writeImages(join(nodeFolder, 'images'));
  screen.report({ step: 'node agent', text: 'starting' });
  const node = await startNodeAgent(supervisor, {
    kubeconfig: kubeconfigPath,
    nodeName: hostname().toLowerCase(),
    dataFolder: nodeFolder,
    tell: screen.happened,
  });
  screen.report({ step: 'node agent', text: `ready, guests run on ${node.hypervisor}` });
  screen.report({ step: 'relay', text: 'waits for its leases (up to 17 s after a crash)' });
  await relay.leading;
  screen.report({ step: 'relay', text: 'leading' });
  progressed();

  if (flags.exit) await replaceSample(request);
  else await createUnlessThere(request, vms, sampleVm(images.endless, 'Always'));
  screen.line();
  showHowTo(kubectlPath);
  await followSample(request, nodeFolder, node.hypervisor === 'simulated' ? node.reason : undefined);
}

async function writeImages(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await writeGuestImage(join(folder, images.endless));
  await writeGuestImage(join(folder, images.short), { powerOffAfterBeats: BEATS_BEFORE_POWER_OFF });
}

function showHowTo(kubectl: string): void {
  const patch = (strategy: string) =>
    `${kubectl} patch vm ${SAMPLE_NAME} --type merge -p '{"spec":{"runStrategy":"${strategy}"}}'`;
  screen.line('There is no virt-api here, so start and stop are patches:');
  screen.line(`  ${kubectl} get vm,vmi,pod`);
  screen.line(`  ${patch('Halted')}`);
  screen.line(`  ${patch('Always')}`);
  screen.line('Ctrl-C stops guests and processes and keeps the data; npm start -- --reset deletes it.');
  screen.line();
}

async function followSample(request: KubeRequest, nodeFolder: string, simulated: string | undefined): Promise<void> {
  let beats = 0;
  const course = new VmCourse(request, SAMPLE_NAMESPACE, SAMPLE_NAME, (podUid) => consoleLogPath(nodeFolder, podUid), {
    onChange: (what) => {
      progressed();
      screen.happened(what);
    },
    onConsole: (text) => {
      progressed();
      beats += text.split('beat').length - 1;
      screen.console(text);
    },
  });
  void course.follow();
  for (;;) {
    await sleep(200);
    if (ending) await ending;
    if (!flags.exit) continue;
    const note = simulated === undefined ? '' : ` The hypervisor was simulated: ${simulated}.`;
    if (course.phase === 'Succeeded' && beats >= BEATS_WANTED)
      await end(0, `The sample VM beat ${beats} times and succeeded.${note}`);
    if (course.phase === 'Succeeded' || course.phase === 'Failed') {
      // The last of the console may come a moment after the phase.
      await sleep(1000);
      if (course.phase === 'Failed' || beats < BEATS_WANTED)
        await end(1, `The sample VM ended as ${course.phase} after ${beats} beats.${note}`);
    }
    if (performance.now() - progressAt > NO_PROGRESS_MS) await end(1, 'No progress for ten minutes.');
  }
}

/** `--exit` needs a VM whose course begins now. */
async function replaceSample(request: KubeRequest): Promise<void> {
  for (;;) {
    await request('DELETE', `${vms}/${SAMPLE_NAME}`).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
    });
    try {
      await request('POST', vms, sampleVm(images.short, 'Once'));
      return;
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
      screen.report({ step: 'sample VM', text: 'waiting for the last one to go' });
      if (performance.now() - progressAt > NO_PROGRESS_MS)
        throw new Error('the last sample VM does not go', { cause: error });
      await sleep(500);
    }
  }
}

/** The process behind find-hypervisor.ts: `node find-hypervisor-main.ts FOLDER`. */
import { probeHypervisor } from '../../node/hypervisor/probe.ts';

const [folder = ''] = process.argv.slice(2);
try {
  process.stdout.write(JSON.stringify(await probeHypervisor({ dataFolder: folder })));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

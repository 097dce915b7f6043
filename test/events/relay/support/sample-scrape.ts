import { Scrape } from './scrape.ts';

const identity = (name: string, uid = name) => ({ name, namespace: 'ns', uid, resourceVersion: '1' });
const networks = [{ name: 'default', pod: {} }];
const domain = {
  devices: { interfaces: [{ name: 'default', masquerade: {} }] },
  memory: { guest: '1Gi' },
  resources: { limits: { memory: '2Gi', cpu: '2' } },
};

/** One VM, its VMI and its migrations, with all that makes each scrape metric have a series. */
export function sampleScrape(): Scrape {
  const labels = { environment: 'test' };
  return new Scrape({
    vmi: [
      {
        metadata: identity('sample'),
        spec: { domain, networks },
        status: {
          phase: 'Running',
          nodeName: 'node-1',
          interfaces: [{ name: 'default', interfaceName: 'eth0', ipAddress: '10.0.0.2' }],
          memory: { memoryOverhead: '200Mi' },
          migrationState: {
            migrationUid: 'done',
            startTimestamp: '2026-12-01T00:00:00Z',
            endTimestamp: '2026-12-01T00:01:00Z',
            completed: true,
          },
        },
      },
    ],
    vm: [
      {
        metadata: { ...identity('sample'), labels, creationTimestamp: '2026-12-01T00:00:00Z' },
        spec: {
          template: {
            metadata: {},
            spec: { domain, networks, volumes: [{ name: 'root', persistentVolumeClaim: { claimName: 'disk' } }] },
          },
        },
        status: { printableStatus: 'Running' },
      },
    ],
    claim: [
      {
        metadata: identity('disk'),
        spec: { volumeMode: 'Block', resources: { requests: { storage: '1Gi' } } },
      },
    ],
    migration: [
      { metadata: identity('done'), spec: { vmiName: 'sample' }, status: { phase: 'Succeeded' } },
      { metadata: identity('lost'), spec: { vmiName: 'sample' }, status: { phase: 'Failed' } },
    ],
  });
}

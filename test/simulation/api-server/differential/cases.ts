/** Sequences for what random ones seldom meet. `raw` steps name their paths; `{ns}` is the sequence's namespace. */
import type { Obj, Value } from '../json/value.ts';
import type { Aim, Sequence, Step } from './steps.ts';

const merge = 'application/merge-patch+json';

const raw = (method: string, path: string, body?: Value, contentType?: string): Step => ({
  step: 'raw',
  method,
  path,
  ...(body === undefined ? {} : { body }),
  ...(contentType === undefined ? {} : { contentType }),
});

const made = (plural: string, name: string, body: Obj, metadata: Obj = {}): Step => ({
  step: 'create',
  aim: { plural, name },
  generate: false,
  metadata,
  body,
});

const aim = (plural: string, name: string): Aim => ({ plural, name });
const gone = (plural: string, name: string, options: Obj = {}): Step => ({
  step: 'delete',
  aim: aim(plural, name),
  options,
  query: '',
  version: 'none',
  uid: 'none',
});
const patched = (plural: string, name: string, change: Obj, part: '' | 'status' = ''): Step => ({
  step: 'patch',
  aim: aim(plural, name),
  part,
  type: 'merge',
  changes: [change],
  version: 'none',
  uid: 'none',
});

const unfinalized = (plural: string, name: string): Step => ({
  step: 'json-patch',
  aim: aim(plural, name),
  part: '',
  operations: [{ op: 'remove', path: '/metadata/finalizers' }],
});
const pod = { spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'x:1' }] } };
const sized = (limits: Obj): Obj => ({
  spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'x:1', resources: { limits } }] },
});
const vm = { spec: { running: true, template: { spec: { domain: { devices: {} } } } } };
const ns = '/api/v1/namespaces/{ns}';
const vms = '/apis/kubevirt.io/v1alpha3/namespaces/{ns}/virtualmachines';

const watched = (plural: string): Sequence['watches'] => [
  { plural, query: '', when: 'before' },
  { plural, query: '&labelSelector=l%3Dx', when: 'before' },
  { plural, query: '', when: 'after' },
];

export const cases: Readonly<Record<string, Sequence>> = {
  'a pod on a node: grace, less grace, none': {
    steps: [
      made('pods', 'a', pod, { labels: { l: 'x' } }),
      { step: 'bind', aim: aim('pods', 'a'), node: 'n' },
      { step: 'bind', aim: aim('pods', 'a'), node: 'm' },
      gone('pods', 'a'),
      gone('pods', 'a', { gracePeriodSeconds: 50 }),
      gone('pods', 'a', { gracePeriodSeconds: 5 }),
      gone('pods', 'a', { gracePeriodSeconds: 20 }),
      { step: 'bind', aim: aim('pods', 'a'), node: 'm' },
      gone('pods', 'a', { gracePeriodSeconds: 0 }),
      made('pods', 'b', pod),
      { step: 'bind', aim: aim('pods', 'b'), node: 'n' },
      patched('pods', 'b', { status: { phase: 'Succeeded' } }, 'status'),
      gone('pods', 'b'),
    ],
    watches: watched('pods'),
  },
  'a pod held by a finalizer after its grace': {
    steps: [
      made('pods', 'a', pod, { finalizers: ['example.org/f'] }),
      { step: 'bind', aim: aim('pods', 'a'), node: 'n' },
      gone('pods', 'a'),
      gone('pods', 'a', { gracePeriodSeconds: 0 }),
      { step: 'get', aim: aim('pods', 'a'), part: '' },
      unfinalized('pods', 'a'),
      { step: 'get', aim: aim('pods', 'a'), part: '' },
    ],
    watches: watched('pods'),
  },
  'a pod whose last finalizer goes while its grace lasts': {
    steps: [
      made('pods', 'a', pod, { finalizers: ['example.org/f'] }),
      { step: 'bind', aim: aim('pods', 'a'), node: 'n' },
      gone('pods', 'a'),
      unfinalized('pods', 'a'),
      { step: 'get', aim: aim('pods', 'a'), part: '' },
    ],
    watches: watched('pods'),
  },
  'selectors turn changes into arrivals and departures': {
    steps: [
      made('virtualmachines', 'a', vm),
      patched('virtualmachines', 'a', { metadata: { labels: { l: 'x' } } }),
      patched('virtualmachines', 'a', { spec: { running: false } }),
      patched('virtualmachines', 'a', { metadata: { labels: { l: 'y' } } }),
      patched('virtualmachines', 'a', { metadata: { labels: { l: 'x' } } }),
      gone('virtualmachines', 'a'),
    ],
    watches: watched('virtualmachines'),
  },
  'policies are finalizers, the last wish counts': {
    steps: [
      made('virtualmachineinstances', 'a', { spec: { domain: { devices: {} } } }, { finalizers: ['example.org/f'] }),
      gone('virtualmachineinstances', 'a', { propagationPolicy: 'Orphan' }),
      gone('virtualmachineinstances', 'a', { propagationPolicy: 'Foreground' }),
      gone('virtualmachineinstances', 'a', { propagationPolicy: 'Background' }),
      gone('virtualmachineinstances', 'a'),
      patched('virtualmachineinstances', 'a', { metadata: { finalizers: [] } }),
      { step: 'get', aim: aim('virtualmachineinstances', 'a'), part: '' },
    ],
    watches: watched('virtualmachineinstances'),
  },
  'quota: what must be said, what is left': {
    steps: [
      raw('POST', `${ns}/resourcequotas`, {
        metadata: { name: 'q' },
        spec: { hard: { 'limits.cpu': '2', pods: '2' } },
      }),
      made('pods', 'a', sized({ cpu: '1' })),
      raw('PATCH', `${ns}/resourcequotas/q/status`, { status: { hard: { 'limits.cpu': '2', pods: '2' } } }, merge),
      made('pods', 'b', sized({ cpu: '1' })),
      raw('PATCH', `${ns}/resourcequotas/q/status`, { status: { used: { 'limits.cpu': '0', pods: '0' } } }, merge),
      made('pods', 'b', pod),
      made('pods', 'b', sized({ cpu: '1500m', memory: '1Gi' })),
      raw('GET', `${ns}/resourcequotas/q`),
      made('pods', 'c', sized({ cpu: '1' })),
      made('pods', 'c', sized({ cpu: '500m' })),
      made('pods', 'd', sized({ cpu: '0' })),
      raw('GET', `${ns}/resourcequotas/q`),
    ],
    watches: [],
  },
  'other versions of one kind': {
    steps: [
      raw('POST', vms, { apiVersion: 'kubevirt.io/v1alpha3', kind: 'VirtualMachine', metadata: { name: 'a' }, ...vm }),
      raw('POST', vms, { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', metadata: { name: 'b' }, ...vm }),
      { step: 'get', aim: aim('virtualmachines', 'a'), part: '' },
      raw('GET', `${vms}/a`),
      raw('GET', vms),
      raw(
        'PATCH',
        `${vms}/a`,
        [{ op: 'test', path: '/apiVersion', value: 'kubevirt.io/v1alpha3' }],
        'application/json-patch+json',
      ),
      raw('PATCH', `${vms}/a/status`, { status: { ready: true } }, merge),
    ],
    watches: watched('virtualmachines'),
  },
  'namespaces: marked, and nothing new in them': {
    steps: [
      raw('POST', '/api/v1/namespaces', { metadata: { name: '{ns}-x', labels: { l: 'x' } } }),
      raw(
        'PATCH',
        '/api/v1/namespaces/{ns}-x',
        { metadata: { labels: { 'kubernetes.io/metadata.name': null, m: 'y' } } },
        merge,
      ),
      raw('PATCH', '/api/v1/namespaces/{ns}-x', { spec: { finalizers: [] }, status: { phase: 'Odd' } }, merge),
      raw('PUT', '/api/v1/namespaces/{ns}-x', { metadata: { name: '{ns}-x' } }),
      raw('DELETE', '/api/v1/namespaces/{ns}-x'),
      raw('DELETE', '/api/v1/namespaces/{ns}-x'),
      raw('POST', '/api/v1/namespaces/{ns}-x/configmaps', { metadata: { name: 'a' } }),
      raw('POST', '/api/v1/namespaces/{ns}-x/configmaps', { metadata: { generateName: 'a-' } }),
      raw('POST', '/apis/kubevirt.io/v1/namespaces/{ns}-x/virtualmachines', {
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachine',
        metadata: { name: 'a' },
        ...vm,
      }),
      raw('POST', '/api/v1/namespaces/{ns}-absent/configmaps', { metadata: { name: 'a' } }),
      raw('GET', '/api/v1/namespaces/{ns}-absent/configmaps?x=y'),
      raw('GET', '/api/v1/namespaces/{ns}-absent/configmaps/a'),
      raw('POST', '/api/v1/namespaces', { metadata: { name: 'Bad_' } }),
      raw('POST', '/api/v1/namespaces', {}),
    ],
    watches: [],
  },
  events: {
    steps: [
      raw('POST', `${ns}/events`, {
        metadata: { name: 'e', namespace: '{ns}' },
        involvedObject: { kind: 'Pod', namespace: '{ns}', name: 'p', apiVersion: 'v1' },
        reason: 'R',
        message: 'm',
        type: 'Normal',
        source: { component: 'virt-controller' },
        reportingComponent: 'virt-controller',
        count: 1,
        firstTimestamp: '2026-01-01T00:00:00Z',
        lastTimestamp: '2026-01-01T00:00:00Z',
      }),
      raw(
        'PATCH',
        `${ns}/events/e`,
        { count: 2, lastTimestamp: '2026-01-01T00:00:01Z', message: 'n' },
        'application/strategic-merge-patch+json',
      ),
      raw('POST', `${ns}/events`, { metadata: { name: 'f' }, involvedObject: { kind: 'Pod', name: 'p' } }),
      raw('POST', `${ns}/events`, {
        metadata: { generateName: 'a-' },
        involvedObject: { kind: 'Pod', namespace: '{ns}' },
        eventTime: null,
      }),
      raw('GET', `${ns}/events?fieldSelector=involvedObject.name%3Dp%2Creason%3DR`),
      raw('GET', `${ns}/events?fieldSelector=involvedObject.odd%3Dp`),
      raw('DELETE', `${ns}/events/e`),
    ],
    watches: [],
  },
  'services, service accounts, budgets': {
    steps: [
      raw('POST', `${ns}/services`, {
        metadata: { name: 'h' },
        spec: { clusterIP: 'None', selector: { a: 'b' }, ports: [{ port: 80 }] },
      }),
      raw('POST', `${ns}/services`, {
        metadata: { name: 'x' },
        spec: { type: 'ExternalName', externalName: 'example.org' },
      }),
      raw('GET', `${ns}/services/h`),
      raw('DELETE', `${ns}/services/h`),
      raw('GET', `${ns}/serviceaccounts/default`),
      raw('DELETE', `${ns}/serviceaccounts/default`),
      made('pods', 'a', pod),
      made('poddisruptionbudgets', 'a', { spec: { maxUnavailable: '50%', selector: {} } }),
      gone('poddisruptionbudgets', 'a'),
    ],
    watches: [],
  },
  'storage classes, runtime and priority classes': {
    steps: [
      raw('POST', '/apis/storage.k8s.io/v1/storageclasses', { metadata: { name: '{ns}' }, provisioner: 'p.example' }),
      raw('POST', '/apis/node.k8s.io/v1/runtimeclasses', {
        metadata: { name: '{ns}' },
        handler: 'h',
        overhead: { podFixed: { cpu: '0.25' } },
      }),
      raw('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: '{ns}' }, value: 7 }),
      made('pods', 'a', { spec: { ...pod.spec, runtimeClassName: '{ns}', priorityClassName: '{ns}' } }),
      made('pods', 'b', { spec: { ...pod.spec, priorityClassName: 'system-node-critical' } }),
      made('pods', 'c', { spec: { ...pod.spec, priority: 5 } }),
      raw('DELETE', '/apis/storage.k8s.io/v1/storageclasses/{ns}'),
      raw('DELETE', '/apis/node.k8s.io/v1/runtimeclasses/{ns}'),
      raw('DELETE', '/apis/scheduling.k8s.io/v1/priorityclasses/{ns}'),
    ],
    watches: [],
  },
  'pages are of one version': {
    steps: [
      ...['a', 'b', 'c'].map((name) => made('configmaps', name, {}, { labels: { l: name === 'c' ? 'z' : 'x' } })),
      { step: 'list', plural: 'configmaps', query: '', limit: 1 },
      { step: 'list', plural: 'configmaps', query: '&labelSelector=l%3Dx', limit: 1 },
      { step: 'list', plural: 'configmaps', query: '&labelSelector=l+notin+(x)', limit: 0 },
      raw('GET', `${ns}/configmaps?resourceVersion=999999999999`),
      raw('GET', `${ns}/configmaps?resourceVersion=odd`),
      raw('GET', `${ns}/configmaps?continue=odd`),
    ],
    watches: [],
  },
  'paths that nothing serves': {
    steps: [
      raw('GET', '/api/v1/namespaces/{ns}/odds'),
      raw('GET', '/apis/kubevirt.io/v1/namespaces/{ns}/odds/x'),
      raw('GET', '/apis/odd.example/v1/namespaces/{ns}/odds'),
      raw('POST', '/api/v1/configmaps', { metadata: { name: 'a', namespace: '{ns}' } }),
      raw('PUT', `${ns}/configmaps`, {}),
      raw('PATCH', `${ns}/configmaps/a`, {}, 'application/json'),
    ],
    watches: [],
  },
};

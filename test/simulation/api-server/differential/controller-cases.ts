/** What controllers make of things: steps, and in between the state that both servers come to rest in. */
import type { Obj, Value } from '../json/value.ts';

export type Act =
  | {
      readonly act: 'ask';
      readonly method: string;
      readonly path: string;
      readonly body?: Value;
      readonly contentType?: string;
    }
  | { readonly act: 'settle' };

const settle: Act = { act: 'settle' };
const ns = '/api/v1/namespaces/{ns}';
const merge = 'application/merge-patch+json';

const ask = (method: string, path: string, body?: Value, contentType?: string): Act => ({
  act: 'ask',
  method,
  path,
  ...(body === undefined ? {} : { body }),
  ...(contentType === undefined ? {} : { contentType }),
});
const owner = (name: string, more: Obj = {}): Obj => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
  uid: `uid:${name}`,
  ...more,
});
const configMap = (name: string, metadata: Obj = {}): Act =>
  ask('POST', `${ns}/configmaps`, { metadata: { name, ...metadata } });
const release = (name: string): Act =>
  ask('PATCH', `${ns}/configmaps/${name}`, { metadata: { finalizers: null } }, merge);
const remove = (name: string, propagationPolicy: string): Act =>
  ask('DELETE', `${ns}/configmaps/${name}`, { propagationPolicy });
const blocking = (name: string): Obj => owner(name, { controller: true, blockOwnerDeletion: true });
const pod = (name: string, more: Obj = {}, metadata: Obj = {}): Act =>
  ask('POST', `${ns}/pods`, {
    metadata: { name, ...metadata },
    spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'x:1' }], ...more },
  });
const claim = (name: string, spec: Obj = {}): Act =>
  ask('POST', `${ns}/persistentvolumeclaims`, {
    metadata: { name },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      storageClassName: 'manual',
      ...spec,
    },
  });
const volume = (name: string, claimRef: Obj | undefined, spec: Obj = {}): Act =>
  ask('POST', '/api/v1/persistentvolumes', {
    metadata: { name: `{ns}-${name}` },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'manual',
      persistentVolumeReclaimPolicy: 'Retain',
      csi: { driver: 'csi.example', volumeHandle: name },
      ...(claimRef === undefined
        ? {}
        : { claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace: '{ns}', ...claimRef } }),
      ...spec,
    },
  });

export const controllerCases: Readonly<Record<string, readonly Act[]>> = {
  'a namespace is filled, and filled again': [
    settle,
    ask('DELETE', `${ns}/serviceaccounts/default`),
    ask('DELETE', `${ns}/configmaps/kube-root-ca.crt`),
    settle,
  ],
  'background: dependents follow, whole chains of them': [
    configMap('a'),
    configMap('b', { ownerReferences: [blocking('a')] }),
    configMap('c', { ownerReferences: [owner('b')] }),
    configMap('d', { ownerReferences: [owner('b')], finalizers: ['example.org/f'] }),
    settle,
    remove('a', 'Background'),
    settle,
    release('d'),
    settle,
  ],
  'orphan: dependents are set free': [
    configMap('a'),
    configMap('o'),
    configMap('b', { ownerReferences: [blocking('a')] }),
    configMap('c', { ownerReferences: [owner('a'), owner('o')] }),
    settle,
    remove('a', 'Orphan'),
    settle,
  ],
  'foreground: the owner waits for those that block it': [
    configMap('a'),
    configMap('b', { ownerReferences: [blocking('a')], finalizers: ['example.org/f'] }),
    configMap('c', { ownerReferences: [owner('a')], finalizers: ['example.org/f'] }),
    configMap('d', { ownerReferences: [owner('a')] }),
    settle,
    remove('a', 'Foreground'),
    settle,
    release('b'),
    settle,
    release('c'),
    settle,
  ],
  'foreground: chains, and one owner of two': [
    configMap('a'),
    configMap('o'),
    configMap('b', { ownerReferences: [blocking('a')] }),
    configMap('c', { ownerReferences: [blocking('b')], finalizers: ['example.org/f'] }),
    configMap('d', { ownerReferences: [blocking('a'), owner('o')] }),
    settle,
    remove('a', 'Foreground'),
    settle,
    release('c'),
    settle,
  ],
  'owners that are not there': [
    configMap('o'),
    configMap('a', { ownerReferences: [owner('gone')] }),
    configMap('b', { ownerReferences: [owner('gone'), owner('o')] }),
    configMap('c', { ownerReferences: [{ ...owner('gone'), apiVersion: 'odd.example/v1' }] }),
    configMap('d', { ownerReferences: [{ ...owner('o'), uid: 'uid:gone' }] }),
    settle,
  ],
  'pods of an owner go with their grace': [
    settle,
    configMap('a'),
    pod('p', { nodeName: 'n' }, { ownerReferences: [blocking('a')] }),
    pod('q', {}, { ownerReferences: [blocking('a')] }),
    settle,
    remove('a', 'Foreground'),
    settle,
    ask('DELETE', `${ns}/pods/p?gracePeriodSeconds=0`),
    settle,
  ],
  'claims and the volumes made for them': [
    claim('a'),
    claim('b'),
    claim('w', { storageClassName: 'wffc' }),
    claim('n', { storageClassName: 'absent' }),
    settle,
    volume('a', { name: 'a', uid: 'uid:a' }),
    volume('b', { name: 'b' }),
    volume('w', { name: 'w', uid: 'uid:w' }, { storageClassName: 'wffc' }),
    volume('x', { name: 'none' }),
    volume('y', { name: 'b', uid: 'uid:gone' }),
    settle,
    ask('DELETE', `${ns}/persistentvolumeclaims/a`),
    settle,
    ask('DELETE', '/api/v1/persistentvolumes/{ns}-a'),
    ask('DELETE', '/api/v1/persistentvolumes/{ns}-b'),
    settle,
    ask('DELETE', `${ns}/persistentvolumeclaims/b`),
    settle,
  ],
  'a claim that pods use': [
    settle,
    claim('a'),
    claim('b'),
    pod('p', { nodeName: 'n', volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'a' } }] }),
    pod('q', { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'b' } }] }),
    settle,
    ask('DELETE', `${ns}/persistentvolumeclaims/a`),
    ask('DELETE', `${ns}/persistentvolumeclaims/b`),
    settle,
    ask('PATCH', `${ns}/pods/p/status`, { status: { phase: 'Succeeded' } }, merge),
    settle,
    ask('DELETE', `${ns}/pods/p?gracePeriodSeconds=0`),
    settle,
  ],
  'what is used of a quota': [
    settle,
    ask('POST', `${ns}/resourcequotas`, {
      metadata: { name: 'q' },
      spec: { hard: { pods: '3', 'limits.cpu': '4', configmaps: '9', 'requests.storage': '5Gi' } },
    }),
    settle,
    pod('a', { containers: [{ name: 'c', image: 'x:1', resources: { limits: { cpu: '1500m' } } }] }),
    pod('b', { nodeName: 'n', containers: [{ name: 'c', image: 'x:1', resources: { limits: { cpu: '1' } } }] }),
    claim('a'),
    settle,
    ask('PATCH', `${ns}/pods/b/status`, { status: { phase: 'Failed' } }, merge),
    ask('DELETE', `${ns}/pods/a`),
    settle,
  ],
  'older names of a node’s labels': [
    ask('POST', '/api/v1/nodes', {
      metadata: { name: '{ns}-n', labels: { 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' } },
    }),
    ask('POST', '/api/v1/nodes', { metadata: { name: '{ns}-m' } }),
    settle,
  ],
  'a namespace goes when its pods have': [
    settle,
    configMap('b'),
    pod('p', { nodeName: 'n', terminationGracePeriodSeconds: 2 }),
    pod('q'),
    ask('DELETE', '/api/v1/namespaces/{ns}'),
    settle,
    ask('DELETE', `${ns}/pods/p?gracePeriodSeconds=0`),
    settle,
  ],
  'a namespace goes when what is in it is let go': [
    settle,
    configMap('a', { finalizers: ['example.org/f'] }),
    configMap('b'),
    ask('DELETE', '/api/v1/namespaces/{ns}'),
    settle,
    release('a'),
    settle,
  ],
};

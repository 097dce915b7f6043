/** Paths of the API for the kinds that the node agent touches. */
const kubevirt = '/apis/kubevirt.io/v1';

export const paths = {
  nodes: '/api/v1/nodes',
  node: (name: string) => `/api/v1/nodes/${name}`,
  nodeStatus: (name: string) => `/api/v1/nodes/${name}/status`,
  podsOfNode: (node: string) => `/api/v1/pods?fieldSelector=${encodeURIComponent(`spec.nodeName=${node}`)}`,
  pod: (namespace: string, name: string) => `/api/v1/namespaces/${namespace}/pods/${name}`,
  podStatus: (namespace: string, name: string) => `/api/v1/namespaces/${namespace}/pods/${name}/status`,
  secret: (namespace: string, name: string) => `/api/v1/namespaces/${namespace}/secrets/${name}`,
  events: (namespace: string) => `/api/v1/namespaces/${namespace}/events`,
  instancesOfNode: (node: string) =>
    `${kubevirt}/virtualmachineinstances?labelSelector=${encodeURIComponent(`kubevirt.io/nodeName=${node}`)}`,
  instance: (namespace: string, name: string) => `${kubevirt}/namespaces/${namespace}/virtualmachineinstances/${name}`,
  claims: '/api/v1/persistentvolumeclaims',
  claim: (namespace: string, name: string) => `/api/v1/namespaces/${namespace}/persistentvolumeclaims/${name}`,
  volumes: '/api/v1/persistentvolumes',
  volume: (name: string) => `/api/v1/persistentvolumes/${name}`,
  storageClasses: '/apis/storage.k8s.io/v1/storageclasses',
  kubevirts: `${kubevirt}/kubevirts`,
  namespaces: '/api/v1/namespaces',
  leases: (namespace: string) => `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`,
  lease: (namespace: string, name: string) => `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/${name}`,
} as const;

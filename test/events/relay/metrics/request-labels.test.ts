import { describe, expect, test } from 'vitest';
import { requestLabels } from '../../../../events/relay/metrics/request-labels.ts';

describe('runtime case 92: labels of requests', () => {
  test.each([
    ['GET', '/api/v1/namespaces/a/pods?watch=true', 'WATCH', 'pods', '/api/v1/namespaces/{namespace}/pods'],
    ['GET', '/api/v1/namespaces/a/pods', 'LIST', 'pods', '/api/v1/namespaces/{namespace}/pods'],
    ['GET', '/api/v1/namespaces/a/pods?limit=500', 'LIST', 'pods', '/api/v1/namespaces/{namespace}/pods'],
    [
      'PUT',
      '/api/v1/namespaces/a/pods/x/status',
      'UPDATE',
      'pods',
      '/api/v1/namespaces/{namespace}/pods/{name}/status',
    ],
    ['GET', '/api/v1/namespaces/a/pods/x', 'GET', 'pods', '/api/v1/namespaces/{namespace}/pods/{name}'],
    ['DELETE', '/api/v1/namespaces/a/pods/x', 'DELETE', 'pods', '/api/v1/namespaces/{namespace}/pods/{name}'],
    ['POST', '/api/v1/namespaces/a/events', 'CREATE', 'events', '/api/v1/namespaces/{namespace}/events'],
    [
      'PATCH',
      '/apis/kubevirt.io/v1/namespaces/a/virtualmachineinstances/x',
      'PATCH',
      'virtualmachineinstances',
      '/apis/kubevirt.io/v1/namespaces/{namespace}/virtualmachineinstances/{name}',
    ],
    ['GET', '/api/v1/watch/namespaces/a/pods', 'WATCH', 'pods', '/api/v1/watch/namespaces/{namespace}/pods'],
    ['GET', '/api/v1/nodes', 'LIST', 'nodes', '/api/v1/nodes'],
    ['GET', '/api/v1/namespaces', 'LIST', 'namespaces', '/api/v1/namespaces'],
    ['GET', '/api/v1/namespaces/kube-system', 'GET', 'namespaces', '/api/v1/namespaces/{name}'],
    ['GET', '/version', 'GET', 'none', '/version'],
  ])('%s %s is %s of %s', (method, path, verb, resource, url) => {
    expect(requestLabels(method, path)).toEqual({ verb, resource, url });
  });
});

import { describe, expect, test } from 'vitest';
import { podInterfaceName } from '../../../functions/launcher-pod/network/network-annotations.ts';
import { problem, render, type Surroundings, vmi } from './fixture.ts';

const NETWORKS = 'k8s.v1.cni.cncf.io/networks';
const annotationsOf = (networks: object[], interfaces: object[], around?: Surroundings) =>
  render(vmi({ spec: { networks }, devices: { interfaces } }), around).metadata.annotations ?? {};
const multus = (name: string, rest: object = {}) => ({ name, multus: { networkName: name, ...rest } });

describe('network annotations', () => {
  test('pod case 110: networks in the order of interfaces, absent ones left out', () => {
    const networks = [{ name: 'default', pod: {} }, multus('a'), multus('b'), multus('gone')];
    const interfaces = [
      { name: 'default', masquerade: {} },
      { name: 'b', bridge: {} },
      { name: 'a', bridge: {}, macAddress: '02:00:00:00:00:01' },
      { name: 'gone', bridge: {}, state: 'absent' },
    ];
    expect(annotationsOf(networks, interfaces)[NETWORKS]).toBe(
      JSON.stringify([
        { name: 'b', namespace: 'ns', interface: podInterfaceName('b') },
        { name: 'a', namespace: 'ns', mac: '02:00:00:00:00:01', interface: podInterfaceName('a') },
      ]),
    );
    expect(podInterfaceName('blue')).toBe('pod16477688c0e');
  });

  test('pod case 111: a default network is none of the list', () => {
    const networks = [{ name: 'n', multus: { networkName: 'x/y', default: true } }];
    const annotations = annotationsOf(networks, [{ name: 'n', bridge: {} }]);
    expect(annotations['v1.multus-cni.io/default-network']).toBe('x/y');
    expect(annotations).not.toHaveProperty([NETWORKS]);
    expect(annotations).not.toHaveProperty(['istio.io/reroute-virtual-interfaces']);
  });

  test('pod case 112: attachments of binding plugins', () => {
    const networks = [{ name: 'default', pod: {} }];
    const interfaces = [{ name: 'default', binding: { name: 'p' } }];
    const configuration = { network: { binding: { p: { networkAttachmentDefinition: 'n1/my' } } } };
    expect(annotationsOf(networks, interfaces, { configuration })[NETWORKS]).toBe(
      '[{"name":"my","namespace":"n1","cni-args":{"logicNetworkName":"default"}}]',
    );
    expect(problem(vmi({ spec: { networks }, devices: { interfaces } }))).toEqual({
      type: 'unknown-binding-plugin',
      plugin: 'p',
    });
  });
});

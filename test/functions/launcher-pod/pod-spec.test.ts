import { describe, expect, test } from 'vitest';
import { compute, gates, render, vmi, withoutGates } from './fixture.ts';

describe('fields of the pod spec', () => {
  test.each([
    [undefined, '45', 60],
    [0, '15', 30],
    [180, '195', 210],
  ])('pod case 11: grace period %s', (given, argument, seconds) => {
    const { spec } = render(vmi({ spec: { terminationGracePeriodSeconds: given } }));
    const args = spec.containers[0]?.args ?? [];
    expect(args[args.indexOf('--grace-period-seconds') + 1]).toBe(argument);
    expect(spec.terminationGracePeriodSeconds).toBe(seconds);
  });

  test('pod case 12: pull secrets, each once', () => {
    const volumes = ['a', 'b'].map((name) => ({ name, containerDisk: { image: 'i', imagePullSecret: 's2' } }));
    const firmware = { kernelBoot: { container: { image: 'k', imagePullSecret: 's3' } } };
    const { spec } = render(vmi({ spec: { volumes }, domain: { firmware } }), { process: { imagePullSecret: 's1' } });
    expect(spec.imagePullSecrets).toEqual([{ name: 's2' }, { name: 's3' }, { name: 's1' }]);
    expect(render(vmi()).spec).not.toHaveProperty('imagePullSecrets');
  });

  test('pod case 13: service accounts', () => {
    const volumes = [{ name: 'x', serviceAccount: { serviceAccountName: 'sb' } }];
    const accountOf = (spec: object) => {
      const { serviceAccountName, automountServiceAccountToken } = render(vmi({ spec })).spec;
      return [serviceAccountName, automountServiceAccountToken];
    };
    expect(accountOf({ serviceAccountName: 'sa' })).toEqual(['sa', false]);
    expect(accountOf({ volumes })).toEqual(['sb', true]);
    expect(accountOf({ serviceAccountName: 'sa', volumes })).toEqual(['sa', true]);
  });

  test('pod case 14: runtime class', () => {
    expect(render(vmi(), { configuration: { defaultRuntimeClass: 'rc' } }).spec.runtimeClassName).toBe('rc');
    expect(render(vmi(), { configuration: { defaultRuntimeClass: '' } }).spec).not.toHaveProperty('runtimeClassName');
  });

  test('pod case 15: seccomp profile', () => {
    const profileOf = (customProfile?: object) =>
      render(vmi(), { configuration: { seccompConfiguration: { virtualMachineInstanceProfile: { customProfile } } } })
        .spec.securityContext?.seccompProfile;
    expect(profileOf({ localhostProfile: 'p', runtimeDefaultProfile: true })).toEqual({
      type: 'Localhost',
      localhostProfile: 'p',
    });
    expect(profileOf({ runtimeDefaultProfile: true })).toEqual({ type: 'RuntimeDefault' });
    expect(profileOf()).toBeUndefined();
  });

  test('pod case 16: SELinux type, and level of the other containers', () => {
    const instance = vmi({ annotations: { 'hooks.kubevirt.io/hookSidecars': '[{"image":"i"}]' } });
    const plain = render(instance, { configuration: { selinuxLauncherType: 'spc_t' } }).spec;
    expect(plain.securityContext?.seLinuxOptions).toEqual({ type: 'spc_t' });
    expect(plain.containers.map((c) => c.securityContext?.seLinuxOptions)).toEqual([undefined, undefined]);

    const developerConfiguration = { featureGates: ['DockerSELinuxMCSWorkaround'] };
    const levelled = render(instance, { configuration: { selinuxLauncherType: 'spc_t', developerConfiguration } }).spec;
    expect(levelled.containers.map((c) => c.securityContext?.seLinuxOptions)).toEqual([
      undefined,
      { type: 'spc_t', level: 's0' },
    ]);
    expect(levelled.initContainers?.some((c) => c.securityContext?.seLinuxOptions !== undefined)).toBe(false);
    const untyped = render(instance, gates('DockerSELinuxMCSWorkaround')).spec;
    expect(untyped.containers[1]?.securityContext?.seLinuxOptions).toEqual({ level: 's0' });
  });

  test('pod case 17: root and non-root', () => {
    const root = render(vmi({ status: { runtimeUser: 0 } })).spec;
    expect(root.securityContext).toEqual({ runAsUser: 0, fsGroup: 107 });
    const container = root.containers[0];
    expect(container?.securityContext).toEqual({
      runAsUser: 0,
      runAsNonRoot: false,
      capabilities: { add: ['NET_BIND_SERVICE', 'SYS_NICE'] },
    });
    expect(container?.env?.map((e) => e.name)).toEqual(['POD_NAME']);
    expect(container?.args).not.toContain('--run-as-nonroot');

    const annotated = render(vmi({ status: { runtimeUser: 0 }, annotations: { 'kubevirt.io/nonroot': '' } }));
    expect(annotated.spec).toEqual(render(vmi()).spec);
    expect(annotated.spec.securityContext).toEqual({
      runAsUser: 107,
      runAsGroup: 107,
      runAsNonRoot: true,
      fsGroup: 107,
    });
  });

  test('pod case 18: placement and DNS as the VMI says', () => {
    const given = {
      tolerations: [{ key: 'dedicated', operator: 'Exists' }],
      priorityClassName: 'high',
      schedulerName: 'mine',
      dnsPolicy: 'None',
      dnsConfig: { nameservers: ['192.0.2.1'] },
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }],
    };
    expect(render(vmi({ spec: given })).spec).toMatchObject(given);
  });

  test('pod case 19: resource claims of the pod do not depend on gates', () => {
    const resourceClaims = [{ name: 'c', resourceClaimName: 'rc' }];
    const around = withoutGates('GPUsWithDRA', 'HostDevicesWithDRA');
    const instance = vmi({
      spec: { resourceClaims },
      devices: { gpus: [{ name: 'g', claimName: 'c', requestName: 'r' }] },
    });
    expect(render(instance, around).spec.resourceClaims).toEqual(resourceClaims);
    expect(compute(instance, around).resources).not.toHaveProperty('claims');
  });
});

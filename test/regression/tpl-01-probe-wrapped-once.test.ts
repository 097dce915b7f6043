/** TPL-01, pull request 13749 of KubeVirt: an exec probe that was wrapped already was wrapped again. */
import { describe, expect, test } from 'vitest';
import { compute, render, result, vmi } from '../functions/launcher-pod/fixture.ts';

const WRAPPED = ['virt-probe', '--domainName', 'ns_v', '--timeoutSeconds', '1', '--command', 'cat', '--', '/x'];
const withProbe = (command: string[]) => vmi({ spec: { readinessProbe: { exec: { command } } } });

describe('TPL-01: exec probes are wrapped once', () => {
  test('a command is wrapped, a wrapped one stays', () => {
    expect(compute(withProbe(['cat', '/x'])).readinessProbe?.exec?.command).toEqual(WRAPPED);
    expect(compute(withProbe(WRAPPED)).readinessProbe?.exec?.command).toEqual(WRAPPED);
  });

  test('rendering what a rendering left behind changes the VMI no more', () => {
    const first = result(withProbe(['cat', '/x'])).vmi;
    expect(first.spec.readinessProbe?.exec?.command).toEqual(WRAPPED);
    expect(result(first).vmi).toEqual(first);
    expect(render(result(first).vmi)).toEqual(render(first));
  });
});

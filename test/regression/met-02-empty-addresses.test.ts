// Interface metrics with empty addresses (kubevirt PR 13386).
import { expect, test } from 'vitest';
import { Scrape } from '../events/relay/support/scrape.ts';

test.each([{}, { mac: '02:00:00:00:00:01' }, { name: '', interfaceName: '', ipAddress: '' }])(
  'an interface of which nothing is known but %o has no series',
  async (nic) => {
    const vmi = {
      metadata: { name: 'a', namespace: 'ns', uid: 'a', resourceVersion: '1' },
      spec: { domain: {} },
      status: { interfaces: [nic] },
    };
    expect(await new Scrape({ vmi: [vmi] }).of('kubevirt_vmi_status_addresses')).toEqual([]);
  },
);

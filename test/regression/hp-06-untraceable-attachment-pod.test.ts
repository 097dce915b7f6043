// The end of an attachment pod whose launcher pod had gone first could not be traced to its VMI (KubeVirt PR 18222): the pod
// bears the VMI's name and uid.
import { expect, test } from 'vitest';
import { anyController } from '../../functions/core/controller.ts';
import { vmi as controller } from '../../functions/vmi/reads.ts';
import { Deliveries } from '../events/relay/support/deliveries.ts';
import { attachmentPod, runningPod, vmi } from '../functions/vmi/fixtures.ts';

async function woken(attachment: ReturnType<typeof attachmentPod>) {
  const launcher = runningPod({ metadata: { uid: 'uid-virt-launcher-testvmi-aaaaa' } });
  const relay = new Deliveries([anyController(controller)], vmi('Running'), launcher, attachment);
  await relay.start();
  relay.seeGone(launcher);
  await relay.newKeys();
  relay.seeGone(attachment);
  return relay.newKeys();
}

test('vmi case 15: the annotations are those of the VMI: its key comes', async () => {
  expect(await woken(attachmentPod('hp', ['extra'], 'Running'))).toContain('vmi default/testvmi');
});

test('vmi case 15: the uid is that of an earlier VMI: nothing', async () => {
  const annotations = { 'kubevirt.io/owner-vmi-uid': 'earlier' };
  expect(await woken(attachmentPod('hp', ['extra'], 'Running', { metadata: { annotations } }))).toEqual([]);
});

// Prepared texts used as format strings: names with % came out as debris (kubevirt PR 7232, PR 11974).
import { expect, test } from 'vitest';
import { EventRecorder } from '../../events/relay/events/recorder.ts';
import { KubeApi } from '../../events/relay/kube/api.ts';
import { ScriptedHttp } from '../events/relay/support/scripted-http.ts';
import { VirtualTime } from '../events/relay/support/virtual-time.ts';

test.each(['%s', '%d', '100%', '%!s(MISSING)', '${name}', '$&', '"quoted" \\ and \u2028 odd'])(
  'the text %j appears in an event as it was given, alone and combined',
  async (text) => {
    const http = new ScriptedHttp();
    const time = new VirtualTime();
    http.answer = ({ body }) => ({ status: 201, body: JSON.parse(String(body)) as unknown });
    const api = new KubeApi(http, time.ports.timers, () => Promise.resolve());
    const recorder = new EventRecorder(api, time.ports, 'test', { mayAct: true, remainingMs: 15_000 });
    const regarding = {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstance',
      namespace: 'ns',
      name: text,
      uid: 'u',
    };
    const messages = Array.from({ length: 10 }, (_, i) => `Created migration ${text} ${i}`);
    for (const message of messages)
      recorder.record({ id: 'e', verb: 'event', type: 'Normal', reason: 'Created', message, regarding });
    await time.advance(10);
    const sent = http.requests.map(
      (r) => JSON.parse(String(r.body)) as { message: string; involvedObject: { name: string } },
    );
    expect(sent.map((e) => e.message)).toEqual(
      messages.map((m, i) => (i < 9 ? m : `(combined from similar events): ${m}`)),
    );
    expect(new Set(sent.map((e) => e.involvedObject.name))).toEqual(new Set([text]));
  },
);

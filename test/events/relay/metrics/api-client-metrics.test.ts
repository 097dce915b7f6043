import { expect, test } from 'vitest';
import { ApiClientMetrics } from '../../../../events/relay/metrics/api-client-metrics.ts';
import { Metrics } from '../../../../events/relay/metrics/metrics.ts';
import { ScriptedHttp } from '../support/scripted-http.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const request = { method: 'GET', path: '/api/v1/nodes', headers: {}, timeoutMs: 1000 };

function setUp() {
  const time = new VirtualTime();
  const metrics = new Metrics();
  const http = new ScriptedHttp();
  const api = new ApiClientMetrics(metrics, time.ports.clock, 'https://cluster.example:6443/');
  return { time, metrics, http, api, measured: api.measured(http) };
}

test('each exchange is counted by its answer and timed; its answer is handed on', async () => {
  const { time, metrics, http, measured } = setUp();
  http.answer = () => {
    time.now += 300;
    return { status: 200, body: { ok: true } };
  };
  expect((await measured.request(request)).status).toBe(200);
  await measured.stream({ ...request, path: '/api/v1/nodes?watch=true' });
  const text = await metrics.text();
  const host = 'host="cluster.example:6443"';
  expect(text).toContain(
    `kubevirt_rest_client_requests_total{code="200",method="GET",${host},resource="nodes",verb="LIST"} 1`,
  );
  expect(text).toContain(
    `kubevirt_rest_client_requests_total{code="200",method="GET",${host},resource="nodes",verb="WATCH"} 1`,
  );
  const url = 'url="https://cluster.example:6443/api/v1/nodes"';
  expect(text).toContain(`request_latency_seconds_bucket{le="0.2",verb="LIST",${url}} 0`);
  expect(text).toContain(`request_latency_seconds_bucket{le="0.4",verb="LIST",${url}} 1`);
});

test('runtime case 93: a transport error has the code <error>, and stays an error', async () => {
  const { metrics, http, measured } = setUp();
  http.answer = () => new Error('connection reset');
  await expect(measured.request(request)).rejects.toThrow('connection reset');
  expect(await metrics.text()).toContain('kubevirt_rest_client_requests_total{code="<error>",method="GET"');
});

test('the time that a request waits for the limiter', async () => {
  const { time, metrics, api } = setUp();
  await api.limited(request, async () => void (time.now += 3));
  const url = 'url="https://cluster.example:6443/api/v1/nodes"';
  const bucket = 'kubevirt_rest_client_rate_limiter_duration_seconds_bucket';
  const text = await metrics.text();
  expect(text).toContain(`${bucket}{le="0.002",verb="LIST",${url}} 0`);
  expect(text).toContain(`${bucket}{le="0.004",verb="LIST",${url}} 1`);
});

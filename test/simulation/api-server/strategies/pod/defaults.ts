/** What the API server fills into a pod. */
import { isObj, type Obj, objAt, objsAt, textAt } from '../../json/value.ts';
import type { ApiObject } from '../../objects.ts';
import { allContainersOf } from './containers.ts';
import { pullPolicy } from './pull-policy.ts';
import { defaultVolume } from './volume-defaults.ts';

export function podDefaults(pod: ApiObject): void {
  const spec = pod.spec ?? {};
  spec.restartPolicy ??= 'Always';
  spec.terminationGracePeriodSeconds ??= 30;
  spec.dnsPolicy ??= 'ClusterFirst';
  spec.securityContext ??= {};
  spec.schedulerName ??= 'default-scheduler';
  spec.enableServiceLinks ??= true;
  // The older name of the field goes along with the newer one.
  spec.serviceAccountName ??= spec.serviceAccount;
  if (spec.serviceAccountName !== undefined) spec.serviceAccount = spec.serviceAccountName;
  for (const container of allContainersOf(pod)) containerDefaults(container, spec.hostNetwork === true);
  for (const volume of objsAt(spec, 'volumes')) defaultVolume(volume);
}

function containerDefaults(container: Obj, isOnHostNetwork: boolean): void {
  container.terminationMessagePath ??= '/dev/termination-log';
  container.terminationMessagePolicy ??= 'File';
  container.imagePullPolicy ??= pullPolicy(textAt(container, 'image') ?? '');
  for (const port of objsAt(container, 'ports')) {
    port.protocol ??= 'TCP';
    if (isOnHostNetwork) port.hostPort ??= port.containerPort;
  }
  for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const found = objAt(container, probe);
    if (found !== undefined) probeDefaults(found);
  }
  for (const hook of ['postStart', 'preStop']) httpDefaults(objAt(container, 'lifecycle', hook, 'httpGet'));
  for (const variable of objsAt(container, 'env')) {
    const field = objAt(variable, 'valueFrom', 'fieldRef');
    if (field !== undefined) field.apiVersion ??= 'v1';
  }
  requestsFromLimits(objAt(container, 'resources') ?? {});
}

function probeDefaults(probe: Obj): void {
  probe.timeoutSeconds ??= 1;
  probe.periodSeconds ??= 10;
  probe.successThreshold ??= 1;
  probe.failureThreshold ??= 3;
  httpDefaults(objAt(probe, 'httpGet'));
  const grpc = objAt(probe, 'grpc');
  if (grpc !== undefined) grpc.service ??= '';
}

function httpDefaults(get: Obj | undefined): void {
  if (get === undefined) return;
  get.path ??= '/';
  get.scheme ??= 'HTTP';
}

function requestsFromLimits(resources: Obj): void {
  const { limits } = resources;
  if (!isObj(limits)) return;
  resources.requests = { ...limits, ...(isObj(resources.requests) ? resources.requests : {}) };
}

import type { Cluster } from '../cluster.ts';
import { textAt } from '../json/value.ts';
import type { ApiObject } from '../objects.ts';

/** A Service of a type that has one gets an address of its own. */
export function allocateAddress(cluster: Cluster, service: ApiObject): void {
  const spec = (service.spec ??= {});
  if (spec.type === 'ExternalName') return;
  const octet = (): number => 1 + Math.floor(cluster.ports.random() * 250);
  const address = textAt(spec, 'clusterIP') ?? `10.96.${octet()}.${octet()}`;
  spec.clusterIP = address;
  spec.clusterIPs ??= [address];
  spec.ipFamilies ??= ['IPv4'];
  spec.ipFamilyPolicy ??= 'SingleStack';
}

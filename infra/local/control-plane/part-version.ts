import { run } from '../processes/run.ts';
import { type Command, etcdVersion, kubernetesVersion, type PartName } from './parts.ts';

export type VersionCheck =
  | { readonly kind: 'right'; readonly version: string }
  | { readonly kind: 'wrong'; readonly version: string }
  /** It said nothing that can be understood, or not in time. */
  | { readonly kind: 'unknown'; readonly reason: string };

const timeLimitMs = 4_000;

/** Runs the part with its version flag. */
export async function checkVersion(name: PartName, command: Command): Promise<VersionCheck> {
  const args = name === 'kubectl' ? ['version', '--client'] : ['--version'];
  const result = await run(command.file, [...command.leading, ...args], { timeLimitMs });
  switch (result.kind) {
    case 'exited': {
      const version = reportedVersion(name, result.stdout);
      if (version === undefined) return { kind: 'unknown', reason: `reports no version (code ${result.code})` };
      return { kind: isRightLine(name, version) ? 'right' : 'wrong', version };
    }
    case 'killed':
      return { kind: 'unknown', reason: `ended by ${result.signal}` };
    case 'timed out':
      return { kind: 'unknown', reason: 'does not answer' };
    case 'not started':
      return { kind: 'unknown', reason: result.reason };
  }
}

/** The version in the part's own words, with a leading `v`. */
export function reportedVersion(name: PartName, output: string): string | undefined {
  const label = name === 'etcd' ? 'etcd Version:' : name === 'kubectl' ? 'Client Version:' : 'Kubernetes';
  const version = new RegExp(`^${label} v?(\\d+\\.\\d+\\.\\d+\\S*)`, 'm').exec(output)?.[1];
  return version && `v${version}`;
}

/** Whether the version is of the line in use: the same major and minor version, and a release. */
export function isRightLine(name: PartName, version: string): boolean {
  const wanted = name === 'etcd' ? etcdVersion : kubernetesVersion;
  const line = (text: string): string => text.split('.').slice(0, 2).join('.');
  return line(version) === line(wanted) && !version.includes('-');
}

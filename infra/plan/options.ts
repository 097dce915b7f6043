import { parseArgs } from 'node:util';
import { BadInput } from './bad-input.ts';

export const USAGE = `usage: npm run plan -- -f FILE... [--configuration FILE] [--objects FILE]... [--launcher-image IMAGE] [-o yaml|json]`;

export interface Options {
  /** Manifests of VMs and VMIs; \`-\` is the standard input. */
  readonly files: readonly string[];
  /** A KubeVirt object. */
  readonly configuration?: string;
  /** Claims, quotas, namespaces and the like that the cluster has. */
  readonly objects: readonly string[];
  readonly launcherImage?: string;
  readonly output: 'yaml' | 'json';
}

/** @throws BadInput */
export function parseOptions(args: readonly string[]): Options {
  const { values, positionals } = parsed(args);
  const { output = 'yaml', configuration, 'launcher-image': launcherImage } = values;
  const files = [...(values.file ?? []), ...positionals];
  if (files.length === 0) throw new BadInput('plan', `-f is not there; ${USAGE}`);
  if (output !== 'yaml' && output !== 'json') throw new BadInput('plan', `-o ${output}: yaml or json; ${USAGE}`);
  return {
    files,
    objects: values.objects ?? [],
    output,
    ...(configuration === undefined ? {} : { configuration }),
    ...(launcherImage === undefined ? {} : { launcherImage }),
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        file: { type: 'string', short: 'f', multiple: true },
        configuration: { type: 'string' },
        objects: { type: 'string', multiple: true },
        'launcher-image': { type: 'string' },
        output: { type: 'string', short: 'o' },
      },
    });
  } catch (error) {
    throw new BadInput('plan', `${error instanceof Error ? error.message : String(error)}; ${USAGE}`);
  }
}

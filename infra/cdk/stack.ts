import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { CloudSettings } from '../cloud/settings.ts';
import { VirtFunctions } from './virt-functions.ts';

/** A deployment as a stack of its own. */
export class VirtFunctionsStack extends Stack {
  readonly deployment: VirtFunctions;

  constructor(scope: Construct, settings: CloudSettings, props: StackProps = {}) {
    super(scope, settings.name, { description: 'virt-functions: controllers of KubeVirt as functions', ...props });
    this.deployment = new VirtFunctions(this, 'VirtFunctions', settings);
  }
}

import type { App } from 'aws-cdk-lib';
import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';

/** Looks at every template while it is made; one finding that nobody has explained, and nothing is synthesised. */
export function checkSecurity(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}

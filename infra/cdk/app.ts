/**
 * The app that `cdk deploy` runs (`infra/cdk/cdk.json`). Settings are context values: `-c auth=hmac -c name=staging`
 * (`infra/cloud/settings.ts`). Account and region are those of the credentials at deployment; none are needed to synthesise.
 */
import { App } from 'aws-cdk-lib';
import { readSettings } from '../cloud/settings.ts';
import { checkSecurity } from './security-checks.ts';
import { VirtFunctionsStack } from './stack.ts';

const app = new App();
checkSecurity(app);
new VirtFunctionsStack(
  app,
  readSettings((setting) => {
    const value: unknown = app.node.tryGetContext(setting);
    return typeof value === 'string' ? value : undefined;
  }),
);
app.synth();

/**
 * The parts of serverless.yml that depend on which controllers there are. What the framework makes itself (functions, log groups,
 * addresses) is said in its own words, the rest in CloudFormation's.
 */
import { cloudAlarms } from '../cloud/alarms.ts';
import { dashboardBody } from '../cloud/dashboard.ts';
import { type CloudFunction, cloudFunctions, pascal } from '../cloud/functions.ts';
import { type CloudSettings, costTags, type FindText, readSettings } from '../cloud/settings.ts';
import { functionRole, relayPolicy, scheduleResources } from './access-resources.ts';
import { alarmResource } from './alarm-resource.ts';
import { functionId, type Resource, ref, roleId, SIGNING_KEYS, TABLE } from './resource.ts';
import { signingKeysResource, tableResource } from './state-resources.ts';

export { SETTINGS } from '../cloud/settings.ts';

export interface ServerlessDeployment {
  readonly name: string;
  readonly logRetentionDays: number;
  readonly tags: Readonly<Record<string, string>>;
  readonly functions: Readonly<Record<string, unknown>>;
  readonly resources: { readonly Resources: Readonly<Record<string, Resource>>; readonly Outputs: object };
}

export function serverlessDeployment(find: FindText): ServerlessDeployment {
  const settings = readSettings(find);
  const functions = cloudFunctions(settings);
  return {
    name: settings.name,
    logRetentionDays: settings.logRetentionDays,
    tags: costTags(settings),
    functions: Object.fromEntries(functions.map((fn) => [keyOf(fn), entryOf(fn, settings)])),
    resources: { Resources: resourcesOf(functions, settings), Outputs: outputsOf(functions, settings) },
  };
}

/** The framework makes ids of it, so it has no dashes: `disruptionBudget`. */
function keyOf({ name }: CloudFunction): string {
  const id = pascal(name);
  return id.charAt(0).toLowerCase() + id.slice(1);
}

function entryOf(fn: CloudFunction, { auth, signingKeysVersion }: CloudSettings): object {
  const isCalled = fn.role !== 'sweep';
  return {
    name: fn.functionName,
    description: fn.description,
    handler: `dist/functions/${fn.name}/index.handler`,
    package: { patterns: [`../../dist/functions/${fn.name}/index.mjs`] },
    memorySize: fn.memoryMb,
    timeout: fn.timeoutSeconds,
    ...(fn.reservedConcurrency !== undefined && { reservedConcurrency: fn.reservedConcurrency }),
    role: roleId(fn.name),
    ...(isCalled && { url: auth === 'iam' ? { authorizer: 'aws_iam' } : true }),
    environment: {
      VIRT_FUNCTIONS_TABLE: ref(TABLE),
      // The sweep is called by nobody: it has nothing to verify.
      ...(isCalled && {
        VIRT_FUNCTIONS_SIGNING_KEYS: {
          'Fn::Join': ['', ['{{resolve:secretsmanager:', ref(SIGNING_KEYS), ':SecretString:::}}']],
        },
        VIRT_FUNCTIONS_SIGNING_KEYS_VERSION: signingKeysVersion,
      }),
    },
  };
}

function resourcesOf(functions: readonly CloudFunction[], settings: CloudSettings): Record<string, Resource> {
  const { auth, alarmTopicArn, name } = settings;
  const sub = [dashboardBody(functions), { Table: ref(TABLE) }];
  return {
    [TABLE]: tableResource(),
    [SIGNING_KEYS]: signingKeysResource(),
    ...Object.fromEntries(functions.map((fn) => [roleId(fn.name), functionRole(fn)])),
    ...(auth === 'iam' && { RelayPolicy: relayPolicy(name, functions) }),
    ...scheduleResources(functions),
    ...Object.fromEntries(
      cloudAlarms(functions).map((alarm) => [`${pascal(alarm.name)}Alarm`, alarmResource(alarm, name, alarmTopicArn)]),
    ),
    Dashboard: {
      Type: 'AWS::CloudWatch::Dashboard',
      Properties: { DashboardName: name, DashboardBody: { 'Fn::Sub': sub } },
    },
  };
}

function outputsOf(functions: readonly CloudFunction[], { auth }: CloudSettings): object {
  const urls = functions
    .filter((fn) => fn.role !== 'sweep')
    .map((fn) => {
      const Value = { 'Fn::GetAtt': [`${functionId(fn.name)}Url`, 'FunctionUrl'] };
      return [`Url${pascal(fn.name)}`, { Description: fn.name, Value }];
    });
  return {
    ...Object.fromEntries(urls),
    SigningKeysArn: { Value: ref(SIGNING_KEYS) },
    TableName: { Value: ref(TABLE) },
    ...(auth === 'iam' && { RelayPolicyArn: { Value: ref('RelayPolicy') } }),
  };
}

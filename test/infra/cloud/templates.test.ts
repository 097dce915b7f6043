import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUNDLES, ROOT } from '../../../infra/build/project.ts';
import { functionEntries } from '../../../infra/build/sources.ts';
import { cloudFunctions } from '../../../infra/cloud/functions.ts';
import { DEFAULT_SETTINGS } from '../../../infra/cloud/settings.ts';
import { packageServerless, type SettingTexts, synthesiseCdk, type Template } from '../../../infra/cloud/synthesise.ts';
import { buildBundles } from '../../functions/support/bundles.ts';
import { comparable } from './support/comparable.ts';

const folder = mkdtempSync(join(tmpdir(), 'templates-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const settings: Readonly<Record<'iam' | 'hmac', SettingTexts>> = {
  iam: {},
  hmac: {
    auth: 'hmac',
    name: 'staging',
    tags: 'team=virtualisation',
    alarmTopicArn: 'arn:aws:sns:eu-west-1:123456789012:alarms',
    reservedConcurrency: 'vm=50',
  },
};
const templates = {} as Record<keyof typeof settings, { cdk: Template; serverless: Template }>;

beforeAll(async () => {
  await buildBundles();
  // Neither has a network nor an account.
  const before = { ...process.env };
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  const guard = pathToFileURL(join(ROOT, 'test/infra/cloud/support/no-network.mjs')).href;
  process.env['NODE_OPTIONS'] = `--import=${guard}`;
  try {
    for (const auth of ['iam', 'hmac'] as const)
      templates[auth] = {
        cdk: await synthesiseCdk(join(folder, auth, 'cdk'), settings[auth]),
        serverless: await packageServerless(join(folder, auth, 'serverless'), settings[auth]),
      };
  } finally {
    process.env = before;
  }
});

const of = ({ Resources }: Template, type: string) => Object.values(Resources).filter((r) => r.Type === type);

describe.each(['iam', 'hmac'] as const)('with %s', (auth) => {
  test('CDK and Serverless make the same resources', () => {
    const { cdk, serverless } = templates[auth];
    expect(comparable(serverless)).toEqual(comparable(cdk));
  });

  test('and tell the same to whoever sets up a relay', () => {
    const { cdk, serverless } = templates[auth];
    const told = ({ Outputs }: Template) =>
      Object.entries(Outputs)
        .filter(([id]) => !/^Serverless|LambdaFunction/.test(id))
        .map(([id, { Description }]) => [id, Description]);
    expect(told(serverless)).toEqual(told(cdk));
  });
});

describe.each(['cdk', 'serverless'] as const)('%s', (tool) => {
  test('a function for each folder that is one, and one role each', () => {
    const functions = of(templates.iam[tool], 'AWS::Lambda::Function');
    const names = functions.map((fn) => String(fn.Properties['FunctionName']).replace('virt-functions-', ''));
    expect(names.sort()).toEqual([...functionEntries().keys()]);
    expect(new Set(functions.map((fn) => JSON.stringify(fn.Properties['Role']))).size).toBe(names.length);
  });

  test('the table: paid by use, recoverable to any point, encrypted, kept', () => {
    const [table, ...others] = of(templates.iam[tool], 'AWS::DynamoDB::Table');
    expect(others).toEqual([]);
    expect(table).toMatchObject({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        SSESpecification: { SSEEnabled: true },
        DeletionProtectionEnabled: true,
      },
    });
  });

  test('addresses are signed with IAM, or open to everybody where HMAC alone tells', () => {
    const types = (auth: 'iam' | 'hmac') =>
      of(templates[auth][tool], 'AWS::Lambda::Url').map((url) => url.Properties['AuthType']);
    expect(new Set(types('iam'))).toEqual(new Set(['AWS_IAM']));
    expect(of(templates.iam[tool], 'AWS::Lambda::Permission')).toEqual([]);
    expect(new Set(types('hmac'))).toEqual(new Set(['NONE']));
  });

  test('concurrency is kept for the lease alone, unless somebody says so', () => {
    const reserved = (auth: 'iam' | 'hmac') =>
      of(templates[auth][tool], 'AWS::Lambda::Function')
        .filter((fn) => 'ReservedConcurrentExecutions' in fn.Properties)
        .map((fn) => String(fn.Properties['FunctionName']));
    expect(reserved('iam')).toEqual(['virt-functions-lease']);
    expect(reserved('hmac').sort()).toEqual(['staging-lease', 'staging-vm']);
  });

  test('tags for bills are on all that has tags', () => {
    const bears = ({ Tags }: Readonly<Record<string, unknown>>) =>
      (Tags as { Key: string; Value: string }[] | undefined)?.some(
        ({ Key, Value }) => Key === 'team' && Value === 'virtualisation',
      ) ?? false;
    const functions = of(templates.hmac[tool], 'AWS::Lambda::Function');
    expect(functions.every((fn) => bears(fn.Properties))).toBe(true);
    // The framework has CloudFormation tag the rest of the stack when it deploys.
    if (tool === 'cdk') expect(bears(of(templates.hmac.cdk, 'AWS::DynamoDB::Table')[0]?.Properties ?? {})).toBe(true);
    else {
      const state = readFileSync(join(folder, 'hmac/serverless/serverless-state.json'), 'utf8');
      const { service } = JSON.parse(state) as { service: { provider: { stackTags: object } } };
      expect(service.provider.stackTags).toMatchObject({ deployment: 'staging', team: 'virtualisation' });
    }
  });
});

test('both ship the bundles as they were built, each alone', () => {
  for (const { name } of cloudFunctions(DEFAULT_SETTINGS)) {
    const built = readFileSync(join(BUNDLES, name, 'index.mjs'));
    const zip = onlyFileOf(readFileSync(join(folder, 'iam/serverless', `${name}.zip`)));
    expect([zip.name, zip.content.equals(built)]).toEqual([`dist/functions/${name}/index.mjs`, true]);
  }
  const assets = readdirSync(join(folder, 'iam/cdk')).filter((file) => file.startsWith('asset.'));
  expect(assets).toHaveLength(functionEntries().size);
  for (const asset of assets) expect(readdirSync(join(folder, 'iam/cdk', asset))).toEqual(['index.mjs']);
});

test('the security checks have looked at the CDK template, and the one finding is explained', () => {
  const report = JSON.parse(readFileSync(join(folder, 'iam/cdk/validation-report.json'), 'utf8')) as {
    pluginReports: { pluginName: string; conclusion: string; violations: unknown[]; suppressedViolations: unknown[] }[];
  };
  const [nag] = report.pluginReports;
  expect(nag).toMatchObject({ pluginName: 'AwsSolutions', conclusion: 'success', violations: [] });
  // The signing keys are not rotated by AWS: relays have them too.
  expect(nag?.suppressedViolations).toHaveLength(1);
});

/** The one file of a zip: its central directory says where it is. */
function onlyFileOf(zip: Buffer): { readonly name: string; readonly content: Buffer } {
  const end = zip.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  expect(zip.readUInt16LE(end + 10)).toBe(1);
  const directory = zip.readUInt32LE(end + 16);
  const name = zip.toString('utf8', directory + 46, directory + 46 + zip.readUInt16LE(directory + 28));
  const local = zip.readUInt32LE(directory + 42);
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  return { name, content: inflateRawSync(zip.subarray(start, start + zip.readUInt32LE(directory + 20))) };
}

/**
 * `npm run synth [-- NAME=VALUE...]`: both templates, of CDK in `dist/cdk`, of the Serverless file in `dist/serverless`, and what
 * they hold. Settings: `settings.ts`.
 */
import { join, relative } from 'node:path';
import { ROOT } from '../build/project.ts';
import { packageServerless, settingTexts, synthesiseCdk, type Template } from './synthesise.ts';

const CDK = join(ROOT, 'dist/cdk');
const SERVERLESS = join(ROOT, 'dist/serverless');

try {
  const texts = settingTexts(process.argv.slice(2));
  const [cdk, serverless] = await Promise.all([synthesiseCdk(CDK, texts), packageServerless(SERVERLESS, texts)]);
  process.stdout.write(
    [
      `CDK: ${relative(ROOT, CDK)}, security checks passed`,
      `Serverless: ${relative(ROOT, SERVERLESS)}`,
      '',
      ...counts(cdk, serverless),
      '',
      'functions',
      ...functionLines(cdk),
      '',
      `outputs  ${Object.keys(cdk.Outputs).join(', ')}`,
      '',
    ].join('\n'),
  );
} catch (error) {
  process.stderr.write(`synth: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

function counts(cdk: Template, serverless: Template): string[] {
  const count = ({ Resources }: Template, type: string) =>
    Object.values(Resources).filter((resource) => resource.Type === type).length;
  const types = [...Object.values(cdk.Resources), ...Object.values(serverless.Resources)].map(({ Type }) => Type);
  return [
    `${'resources'.padEnd(36)}${'CDK'.padStart(6)}${'Serverless'.padStart(12)}`,
    ...[...new Set(types)]
      .sort()
      .map(
        (type) =>
          `${type.padEnd(36)}${String(count(cdk, type)).padStart(6)}${String(count(serverless, type)).padStart(12)}`,
      ),
  ];
}

function functionLines({ Resources }: Template): string[] {
  return Object.values(Resources)
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ Properties: { FunctionName, MemorySize, Timeout, ReservedConcurrentExecutions: reserved } }) => {
      const bound = reserved === undefined ? '' : `, ${Number(reserved)} at once`;
      return `  ${String(FunctionName).padEnd(34)}${String(MemorySize)} MB, ${String(Timeout)} s${bound}`;
    });
}

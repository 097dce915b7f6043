import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from '../build/project.ts';
import { type CloudSettings, type FindText, readSettings, SETTINGS } from './settings.ts';

/** A template of CloudFormation, as far as anybody here looks at it. */
export interface Template {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
  readonly Outputs: Readonly<Record<string, { readonly Description?: string; readonly Value: unknown }>>;
}

export interface TemplateResource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

/** Settings as texts, such as `{ auth: 'hmac' }`. */
export type SettingTexts = Readonly<Partial<Record<keyof CloudSettings, string>>>;

/**
 * Runs the CDK app, security checks included, into `folder`. Neither network nor account is needed; bundles must be there. Throws
 * with what it said.
 */
export async function synthesiseCdk(folder: string, texts: SettingTexts): Promise<Template> {
  rmSync(folder, { recursive: true, force: true });
  await run([join(ROOT, 'infra/cdk/app.ts')], join(ROOT, 'infra/cdk'), {
    CDK_OUTDIR: resolve(folder),
    CDK_CONTEXT_JSON: JSON.stringify(texts),
  });
  return read(join(folder, `${nameOf(texts)}.template.json`));
}

/** Packages serverless.yml with osls into `folder`; likewise. */
export async function packageServerless(folder: string, texts: SettingTexts): Promise<Template> {
  rmSync(folder, { recursive: true, force: true });
  const params = Object.entries(texts).map(([name, text]) => `--param=${name}=${text}`);
  const stage = texts.name === undefined ? [] : [`--stage=${texts.name}`];
  const osls = join(ROOT, 'node_modules/osls/bin/serverless.js');
  await run([osls, 'package', '--package', resolve(folder), ...stage, ...params], join(ROOT, 'infra/serverless'), {
    SLS_TELEMETRY_DISABLED: '1',
    SLS_NOTIFICATIONS_MODE: 'off',
  });
  return read(join(folder, 'cloudformation-template-update-stack.json'));
}

/** Settings from arguments of the form NAME=VALUE. Throws on an unknown name or value. */
export function settingTexts(args: readonly string[]): SettingTexts {
  const texts: Record<string, string> = {};
  for (const arg of args) {
    const at = arg.indexOf('=');
    const name = arg.slice(0, Math.max(0, at));
    if (!SETTINGS.some((setting) => setting === name)) throw new Error(`${arg}: settings are ${SETTINGS.join(', ')}`);
    texts[name] = arg.slice(at + 1);
  }
  readSettings(finder(texts));
  return texts;
}

function nameOf(texts: SettingTexts): string {
  return readSettings(finder(texts)).name;
}

function finder(texts: SettingTexts): FindText {
  return (setting) => (texts as Readonly<Record<string, string | undefined>>)[setting];
}

function read(file: string): Template {
  return JSON.parse(readFileSync(file, 'utf8')) as Template;
}

async function run(args: readonly string[], cwd: string, more: Readonly<Record<string, string>>): Promise<void> {
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, ...more } });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  const code = await new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  });
  if (code !== 0) throw new Error(said);
}

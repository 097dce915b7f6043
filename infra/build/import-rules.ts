/**
 * Which folder may import what (design section 1), as a list of what is allowed: an import that no rule names is refused.
 * The linter's own restrictions list what is forbidden, which a new folder or package would slip through.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { ROOT } from './project.ts';

interface Rule {
  /** Files, by their path from the project's folder. The first rule that matches a file holds. */
  readonly files: RegExp;
  /** Files of the project that they may import; `<self>` stands for the file's own folder below `functions`. */
  readonly may: readonly string[];
  /** Files of which they may import types only. */
  readonly mayTypes?: readonly string[];
  readonly packages?: readonly string[];
}

/** Only its types are ever imported, so everybody may. */
const TYPES_PACKAGE = '@kubevirt-ui-ext/kubevirt-api';
const core = 'functions/core/';
const controllers = '(?!(?:core|rules|launcher-pod|store|http|lease|resync)/)[^/]+';
const declarations = `functions/${controllers}/(reads|writes)\\.ts`;

const rules: readonly Rule[] = [
  { files: /^functions\/core\/digest\.ts$/, may: [core], packages: ['node:crypto$'] },
  { files: /^functions\/core\//, may: [core] },
  { files: /^functions\/controllers\.ts$/, may: [core, declarations] },
  { files: /^functions\/rules\//, may: [core, 'functions/rules/'] },
  { files: /^functions\/launcher-pod\//, may: [core, 'functions/rules/', '<self>'] },
  {
    files: /^functions\/store\//,
    may: [core, '<self>'],
    packages: ['@aws-sdk/client-dynamodb$', 'node:(util|timers/promises)$'],
  },
  {
    files: /^functions\/http\//,
    may: [core, 'functions/store/', 'events/envelope/', '<self>'],
    packages: ['hono', '@hono/node-server$', 'aws-lambda$', 'node:(http|net|util|timers/promises)$'],
  },
  {
    files: /^functions\/(lease|resync)\//,
    may: [core, 'functions/store/', 'functions/http/', 'events/envelope/', '<self>'],
    packages: ['hono'],
  },
  {
    files: new RegExp(`^functions/${controllers}/main\\.ts$`),
    may: [core, 'functions/http/', 'functions/store/', '<self>'],
  },
  {
    files: new RegExp(`^functions/${controllers}/`),
    may: [core, 'functions/rules/', 'functions/launcher-pod/', '<self>(?!main\\.ts)'],
  },
  { files: /^events\/envelope\//, may: ['events/envelope/'], mayTypes: [core], packages: ['valibot$', 'node:crypto$'] },
  {
    files: /^events\/relay\//,
    may: [core, 'events/envelope/', 'events/relay/', 'functions/controllers\\.ts', declarations],
    packages: [
      'node:(util|os|path|crypto|fs|http|https|net)$',
      'undici$',
      '@kubernetes/client-node/dist/config\\.js$',
      'prom-client$',
      '@smithy/signature-v4$',
      '@aws-sdk/credential-provider-node$',
      'hono$',
      '@hono/node-server$',
    ],
  },
  {
    files: /^infra\/node\//,
    may: ['infra/node/'],
    mayTypes: [core],
    packages: ['node:', '@kubernetes/client-node', 'tar$'],
  },
  { files: /^(infra|test)\/|^vitest\.config\.ts$/, may: [''], packages: [''] },
];

/** One import that breaks a rule, as a line for a person. */
export function brokenImportRules(): string[] {
  return ['functions', 'events', 'infra', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true })
      .map((file) => join(folder, String(file)))
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
      .flatMap((file) => brokenIn(file, readFileSync(join(ROOT, file), 'utf8'))),
  );
}

/** The imports of one file that no rule allows. */
export function brokenIn(file: string, text: string): string[] {
  const rule = rules.find((r) => r.files.test(file));
  if (rule === undefined) return [`${file}: no import rule covers this file`];
  return importsOf(text)
    .filter((i) => !isAllowed(rule, file, i))
    .map((i) => `${file}: may not import ${i.typeOnly ? 'types of ' : ''}${i.from}`);
}

interface Import {
  readonly from: string;
  readonly typeOnly: boolean;
}

function importsOf(text: string): Import[] {
  const found = text.matchAll(
    /^\s*(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm,
  );
  return [...found].map(([, type, stated, dynamic]) => ({
    from: stated ?? dynamic ?? '',
    typeOnly: type !== undefined,
  }));
}

function isAllowed(rule: Rule, file: string, { from, typeOnly }: Import): boolean {
  if (!from.startsWith('.')) {
    if (from.startsWith(TYPES_PACKAGE)) return typeOnly;
    return (rule.packages ?? []).some((p) => new RegExp(`^${p}`).test(from));
  }
  const target = normalize(join(dirname(file), from));
  const self = file.split('/').slice(0, 2).join('/');
  const allowed = [...rule.may, ...(typeOnly ? (rule.mayTypes ?? []) : [])];
  return allowed.some((p) => new RegExp(`^${p.replace('<self>', `${self}/`)}`).test(target));
}

import type { Template, TemplateResource } from '../../../../infra/cloud/synthesise.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** What one tool alone makes: where it puts the code on its way. */
const TOOL_ONLY = new Set(['AWS::S3::Bucket', 'AWS::S3::BucketPolicy']);
/** Where the code comes from, and under which path in it; the log group, which Lambda finds by its name anyway. */
const TOOL_PROPERTIES = ['Code', 'Handler', 'LoggingConfig', 'Tags'];

/** A template's resources by what they are, whatever ids the tool gave them, with references and policies spelt in one way. */
export function comparable(template: Template): Readonly<Record<string, Json>> {
  const labels = labelsOf(template);
  return Object.fromEntries(
    Object.entries(template.Resources)
      .filter(([, { Type }]) => !TOOL_ONLY.has(Type))
      .map(([id, { Type, Properties, DeletionPolicy, UpdateReplacePolicy }]) => {
        const kept = Object.entries(Properties).filter(([name]) => !TOOL_PROPERTIES.includes(name));
        const isRetained = DeletionPolicy === 'Retain' && UpdateReplacePolicy === 'Retain';
        const properties = spelt(Object.fromEntries(kept) as Json, labels);
        return [labels.get(id) ?? id, { Type, isRetained, properties }] as const;
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function labelsOf({ Resources }: Template): ReadonlyMap<string, string> {
  const entries = Object.entries(Resources);
  const labels = new Map(entries.flatMap(([id, resource]) => named(id, resource)));
  for (const [, { Type, Properties }] of entries) {
    if (Type === 'AWS::Lambda::Function') label(Properties['Role'], `role of ${String(Properties['FunctionName'])}`);
    if (Type === 'AWS::Scheduler::Schedule')
      label((Properties['Target'] as { RoleArn: unknown }).RoleArn, 'role of the schedule');
  }
  for (const [id, { Type, Properties }] of entries) {
    const of = labels.get(referred(Properties['TargetFunctionArn'] ?? Properties['FunctionName']) ?? '');
    if (Type === 'AWS::Lambda::Url') labels.set(id, `address of ${of}`);
    if (Type === 'AWS::Lambda::Permission') labels.set(id, `permission ${String(Properties['Action'])} of ${of}`);
  }
  return labels;

  function label(reference: unknown, text: string): void {
    labels.set(referred(reference) ?? '', text);
  }
}

function named(id: string, { Type, Properties }: TemplateResource): [string, string][] {
  const own = ['FunctionName', 'LogGroupName', 'AlarmName', 'ManagedPolicyName', 'DashboardName'];
  const name = own.map((property) => Properties[property]).find((value) => typeof value === 'string');
  const alone = ['AWS::DynamoDB::Table', 'AWS::SecretsManager::Secret', 'AWS::Scheduler::Schedule'];
  if (name !== undefined) return [[id, name]];
  return alone.includes(Type) ? [[id, Type]] : [];
}

/** The id that a Ref or GetAtt is about. */
function referred(value: unknown): string | undefined {
  const { Ref, 'Fn::GetAtt': get } = (value ?? {}) as { Ref?: string; 'Fn::GetAtt'?: readonly string[] };
  return Ref ?? get?.[0];
}

function spelt(value: Json, labels: ReadonlyMap<string, string>): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => spelt(item, labels));
  const object = value as { readonly [name: string]: Json };
  const id = referred(object);
  if (id !== undefined) {
    const attribute = (object['Fn::GetAtt'] as readonly string[] | undefined)?.[1];
    const text = labels.get(id) ?? id;
    if (attribute === 'Arn' && text.startsWith('/aws/lambda/'))
      return `arn:\${AWS::Partition}:logs:\${AWS::Region}:\${AWS::AccountId}:log-group:${text}:*`;
    return attribute === undefined ? `<${text}>` : `<${text}>.${attribute}`;
  }
  const join = object['Fn::Join'] as readonly [string, readonly Json[]] | undefined;
  if (join !== undefined) return join[1].map((part) => spelt(part, labels) as string).join(join[0]);
  const sub = object['Fn::Sub'];
  if (typeof sub === 'string') return sub;
  return Object.fromEntries(
    Object.entries(object).map(([name, member]) => {
      const inner = spelt(member, labels);
      // A list of one may be written without its brackets in policies.
      const isList = (name === 'Action' || name === 'Resource') && !Array.isArray(inner);
      return [name, isList ? [inner] : inner];
    }),
  );
}

import { pascal } from '../cloud/functions.ts';

/** One resource of a template, as CloudFormation takes it. */
export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: 'Retain';
  readonly UpdateReplacePolicy?: 'Retain';
}

export const TABLE = 'Table';
export const SIGNING_KEYS = 'SigningKeys';
export const RETAINED = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' } as const;

/** The id that the framework gives a function. */
export function functionId(name: string): string {
  return `${pascal(name)}LambdaFunction`;
}

export function roleId(name: string): string {
  return `${pascal(name)}Role`;
}

export function ref(id: string): object {
  return { Ref: id };
}

export function arnOf(id: string): object {
  return { 'Fn::GetAtt': [id, 'Arn'] };
}

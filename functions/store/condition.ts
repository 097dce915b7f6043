import { type AttributeValue, ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

/** What a conditional write needs besides key and item. */
export interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, AttributeValue>;
}

/** One part of a condition about one attribute. */
export interface Part {
  readonly text: string;
  readonly names: Record<string, string>;
  readonly values: Record<string, AttributeValue>;
}

export function isAbsent(attribute: string): Part {
  return { text: `attribute_not_exists(#${attribute})`, names: { [`#${attribute}`]: attribute }, values: {} };
}

export function equals(attribute: string, value: AttributeValue): Part {
  return compares(attribute, '=', value);
}

export function isAtMost(attribute: string, value: AttributeValue): Part {
  return compares(attribute, '<=', value);
}

export function isPresent(attribute: string): Part {
  return { text: `attribute_exists(#${attribute})`, names: { [`#${attribute}`]: attribute }, values: {} };
}

export function isOneOf(attribute: string, values: readonly AttributeValue[]): Part {
  const named = Object.fromEntries(values.map((value, i) => [`:${attribute}${i}`, value]));
  return {
    text: `#${attribute} IN (${Object.keys(named).join(', ')})`,
    names: { [`#${attribute}`]: attribute },
    values: named,
  };
}

/** All parts hold; each is about another attribute. */
export function allOf(...parts: readonly Part[]): Condition {
  return join(' AND ', parts);
}

/** At least one part holds. */
export function anyOf(...parts: readonly Part[]): Condition {
  return join(' OR ', parts);
}

/** What the write gives; `undefined` if its condition did not hold. */
export async function unlessConditionFails<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

function join(operator: string, parts: readonly Part[]): Condition {
  const values = Object.assign({}, ...parts.map((p) => p.values)) as Record<string, AttributeValue>;
  return {
    ConditionExpression: parts.map((p) => p.text).join(operator),
    ExpressionAttributeNames: Object.assign({}, ...parts.map((p) => p.names)) as Record<string, string>,
    // DynamoDB refuses an empty table of values.
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}

function compares(attribute: string, operator: '=' | '<=', value: AttributeValue): Part {
  return {
    text: `#${attribute} ${operator} :${attribute}`,
    names: { [`#${attribute}`]: attribute },
    values: { [`:${attribute}`]: value },
  };
}

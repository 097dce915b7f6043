import type { AttributeValue } from '@aws-sdk/client-dynamodb';

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

/** All parts hold; each is about another attribute. */
export function allOf(...parts: readonly Part[]): Condition {
  const values = Object.assign({}, ...parts.map((p) => p.values)) as Record<string, AttributeValue>;
  return {
    ConditionExpression: parts.map((p) => p.text).join(' AND '),
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

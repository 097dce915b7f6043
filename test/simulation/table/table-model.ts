/**
 * A DynamoDB table in memory, as far as the product uses one: the calls that functions/store makes, evaluated at once. Held to real
 * implementations by table-model.test.ts.
 */
import {
  type AttributeValue,
  type BatchGetItemCommandInput,
  ConditionalCheckFailedException,
  type DeleteItemCommandInput,
  type GetItemCommandInput,
  type PutItemCommandInput,
  type QueryCommandInput,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../functions/store/attribute-value.ts';
import { DUE_INDEX, DUE_PARTITION, DUE_SORT, PARTITION_KEY, SORT_KEY } from '../../../functions/store/table.ts';

/** A command of the SDK, by its class's name and its input. */
export interface TableCall {
  readonly name: string;
  readonly input: unknown;
}

type Names = Record<string, string> | undefined;
type Values = Record<string, AttributeValue> | undefined;

export class TableModel {
  readonly #items = new Map<string, Item>();
  /** Is told of each item that is put. */
  onWrite: ((before: Item | undefined, after: Item) => void) | undefined;

  get items(): readonly Item[] {
    return [...this.#items.values()];
  }

  call({ name, input }: TableCall): object {
    switch (name) {
      case 'PutItemCommand':
        return this.#put(input as PutItemCommandInput);
      case 'UpdateItemCommand':
        return this.#update(input as UpdateItemCommandInput);
      case 'DeleteItemCommand':
        return this.#delete(input as DeleteItemCommandInput);
      case 'GetItemCommand':
        return found(this.#items.get(addressOf((input as GetItemCommandInput).Key ?? {})));
      case 'BatchGetItemCommand':
        return this.#batchGet(input as BatchGetItemCommandInput);
      case 'QueryCommand':
        return this.#query(input as QueryCommandInput);
      default:
        throw new Error(`the table's model knows no ${name}`);
    }
  }

  #put({ Item = {}, ...condition }: PutItemCommandInput): object {
    const address = addressOf(Item);
    const before = this.#items.get(address);
    require(before, condition);
    this.onWrite?.(before, Item);
    this.#items.set(address, structuredClone(Item));
    return {};
  }

  #update({ Key = {}, UpdateExpression = '', ReturnValues, ...condition }: UpdateItemCommandInput): object {
    const address = addressOf(Key);
    const before = this.#items.get(address);
    require(before, condition);
    const { ExpressionAttributeNames: names, ExpressionAttributeValues: values } = condition;
    const item: Item = { ...(before ?? Key) };
    for (const [, verb, list = ''] of UpdateExpression.matchAll(/(SET|REMOVE) (.*?)(?= SET | REMOVE |$)/g)) {
      for (const part of list.split(', ')) {
        const [attribute = '', value = ''] = part.split(' = ');
        if (verb === 'REMOVE') delete item[nameOf(attribute, names)];
        else item[nameOf(attribute, names)] = valueOf(value, values);
      }
    }
    this.#items.set(address, item);
    return ReturnValues === 'ALL_NEW' ? { Attributes: structuredClone(item) } : {};
  }

  #delete({ Key = {}, ...condition }: DeleteItemCommandInput): object {
    const address = addressOf(Key);
    require(this.#items.get(address), condition);
    this.#items.delete(address);
    return {};
  }

  #batchGet({ RequestItems = {} }: BatchGetItemCommandInput): object {
    const answers = Object.entries(RequestItems).map(([table, { Keys = [] }]) => {
      const items = Keys.map((key) => this.#items.get(addressOf(key))).filter((item) => item !== undefined);
      return [table, structuredClone(items)] as const;
    });
    return { Responses: Object.fromEntries(answers), UnprocessedKeys: {} };
  }

  #query({ IndexName, ExpressionAttributeValues: values, Limit }: QueryCommandInput): object {
    if (IndexName !== DUE_INDEX) throw new Error('only the due index is asked');
    const [partition, before] = [values?.[':leases'] ?? values?.[':cluster'], values?.[':before']];
    const due = (item: Item) => Number(item[DUE_SORT]?.N);
    const items = [...this.#items.values()]
      .filter((item) => item[DUE_PARTITION]?.S === partition?.S)
      .filter((item) => before === undefined || due(item) <= Number(before.N))
      .sort((a, b) => due(a) - due(b))
      .slice(0, Limit);
    const keys = [PARTITION_KEY, SORT_KEY, DUE_PARTITION, DUE_SORT];
    return { Items: items.map((item) => Object.fromEntries(keys.map((key) => [key, item[key]]))) };
  }
}

function found(item: Item | undefined): object {
  return item === undefined ? {} : { Item: structuredClone(item) };
}

function addressOf(item: Record<string, AttributeValue>): string {
  return `${item[PARTITION_KEY]?.S}\n${item[SORT_KEY]?.S}`;
}

function nameOf(text: string, names: Names): string {
  return text.startsWith('#') ? (names?.[text] ?? '') : text;
}

function valueOf(text: string, values: Values): AttributeValue {
  const value = values?.[text];
  if (value === undefined) throw new Error(`no value ${text}`);
  return value;
}

interface Conditional {
  readonly ConditionExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Names;
  readonly ExpressionAttributeValues?: Values;
}

function require(item: Item | undefined, condition: Conditional): void {
  const { ConditionExpression: text = '' } = condition;
  if (text === '') return;
  const holds = (part: string) => partHolds(item ?? {}, part, condition);
  const ok = text.includes(' OR ') ? text.split(' OR ').some(holds) : text.split(' AND ').every(holds);
  if (!ok) throw new ConditionalCheckFailedException({ $metadata: {}, message: 'The conditional request failed' });
}

function partHolds(
  item: Item,
  part: string,
  { ExpressionAttributeNames: names, ExpressionAttributeValues: values }: Conditional,
): boolean {
  const exists = /^attribute_(not_)?exists\((\S+)\)$/.exec(part);
  if (exists) return (item[nameOf(exists[2] ?? '', names)] === undefined) === (exists[1] !== undefined);
  const isIn = /^(\S+) IN \((.*)\)$/.exec(part);
  if (isIn) {
    const value = item[nameOf(isIn[1] ?? '', names)];
    return (isIn[2] ?? '').split(', ').some((v) => equal(value, valueOf(v, values)));
  }
  const compared = /^(\S+) (=|<=) (\S+)$/.exec(part);
  if (!compared) throw new Error(`the table's model does not understand ${part}`);
  const value = item[nameOf(compared[1] ?? '', names)];
  const other = valueOf(compared[3] ?? '', values);
  return compared[2] === '=' ? equal(value, other) : value?.N !== undefined && Number(value.N) <= Number(other.N);
}

function equal(a: AttributeValue | undefined, b: AttributeValue): boolean {
  return a !== undefined && (a.S === undefined ? a.N !== undefined && Number(a.N) === Number(b.N) : a.S === b.S);
}

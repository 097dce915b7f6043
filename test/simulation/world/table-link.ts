import {
  type DynamoDBClient,
  InternalServerError,
  ProvisionedThroughputExceededException,
} from '@aws-sdk/client-dynamodb';
import type { Table } from '../../../functions/store/table.ts';
import type { DeliveryFault, TableFault } from '../faults/injector.ts';
import type { World } from './world.ts';

/** Functions whose calls no fault is counted by: how many there are depends on time alone. */
const UNCOUNTED: readonly string[] = ['lease', 'resync'];

/** The SDK tries three times before it gives up; so a fault that passes is one that lasts longer than that. */
const SDK_PATIENCE_MS = 300;

/** A function's way to the table. */
export class TableLink {
  readonly table: Table;
  readonly #world: World;
  readonly #name: string;
  #computed: (() => void) | undefined;
  #fault: DeliveryFault | undefined;
  #call = 0;

  constructor(world: World, name: string) {
    this.#world = world;
    this.#name = name;
    const client = { send: (command: { constructor: { name: string }; input: unknown }) => this.#send(command) };
    this.table = {
      client: client as unknown as DynamoDBClient,
      name: 'virt-functions',
      pause: (ms) => world.time.sleep(ms),
    };
  }

  /** A request begins; `computed` is called when it first waits for the table. */
  begin(computed: () => void, fault: DeliveryFault | undefined): void {
    this.#computed = computed;
    this.#fault = fault;
    this.#call = 0;
  }

  #send({ constructor: { name }, input }: { constructor: { name: string }; input: unknown }): Promise<unknown> {
    const { time, injector, places, tableModel, trace } = this.#world;
    this.#computed?.();
    const call = this.#call++;
    const own = this.#fault;
    const killed = own?.what === 'function-killed' && own.atCall === call ? own : undefined;
    const frozenMs = own?.what === 'function-frozen' && own.atCall === call ? own.forMs : 0;
    const isCounted = !UNCOUNTED.includes(this.#name) && this.#world.isArmed;
    const fault = isCounted ? injector.table(places.table.push(`${this.#name} ${name}`) - 1, name) : undefined;
    if (fault !== undefined) trace.say('table', () => `FAULT ${JSON.stringify(fault)} at ${name}`);
    return new Promise((resolve, reject) => {
      const perform = () => {
        if (injector.unreachable('table', time.now))
          return void time.after(SDK_PATIENCE_MS * 10, () => reject(new InternalServerError(error)));
        if (killed?.after === false) return;
        if (fault?.what === 'throttled' || fault?.what === 'failed')
          return void time.after(SDK_PATIENCE_MS, () => reject(errorOf(fault)));
        let result: object | Error;
        try {
          result = tableModel.call({ name, input });
        } catch (e) {
          result = e as Error;
        }
        if (killed !== undefined) return;
        time.after(this.#world.latencyMs() + frozenMs, () => {
          if (fault?.what === 'failed-after') reject(errorOf(fault));
          else if (result instanceof Error) reject(result);
          else resolve(fault?.what === 'unprocessed' ? leftUnprocessed(input, result) : result);
        });
      };
      time.after(this.#world.latencyMs(), perform);
    });
  }
}

const error = { $metadata: {}, message: 'injected' };

function errorOf({ what }: TableFault): Error {
  return what === 'throttled' ? new ProvisionedThroughputExceededException(error) : new InternalServerError(error);
}

interface BatchGet {
  readonly RequestItems?: Record<string, { Keys: readonly object[] }>;
}

function leftUnprocessed(input: unknown, result: object): object {
  const { RequestItems } = input as BatchGet;
  if (RequestItems === undefined) return result;
  return { Responses: {}, UnprocessedKeys: RequestItems };
}

import { parseSigningKeys, type SigningKeys } from '../../events/envelope/signing.ts';
import { type BackOff, DEFAULT_BACK_OFF } from './back-off.ts';
import { isLevel, type Level } from './log.ts';

/** What every function is told by its environment. The table's endpoint, region and credentials are the SDK's business. */
export interface CommonSettings {
  /** `VIRT_FUNCTIONS_TABLE` */
  readonly tableName: string;
  /** `VIRT_FUNCTIONS_LOG_LEVEL` */
  readonly logLevel: Level;
}

/** What a function is told that is called over HTTP. */
export interface Settings extends CommonSettings {
  /** `VIRT_FUNCTIONS_SIGNING_KEYS`: separated by commas; the first signs, each is accepted. */
  readonly keys: SigningKeys;
  /** `VIRT_FUNCTIONS_BACK_OFF_MS`: pauses after failures in a row, separated by commas. */
  readonly backOff: BackOff;
  /** `VIRT_FUNCTIONS_TIME_LIMIT_MS`: for one batch, where no platform sets a limit. */
  readonly timeLimitMs: number;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_TIME_LIMIT_MS = 10_000;

/** Throws with the name of the variable that is missing or wrong. */
export function readCommonSettings(environment: Environment): CommonSettings {
  return {
    tableName: required(environment, 'VIRT_FUNCTIONS_TABLE'),
    logLevel: parseLevel(environment['VIRT_FUNCTIONS_LOG_LEVEL']),
  };
}

/** Throws likewise. */
export function readSettings(environment: Environment): Settings {
  return {
    ...readCommonSettings(environment),
    keys: parseKeys(required(environment, 'VIRT_FUNCTIONS_SIGNING_KEYS')),
    backOff: parseBackOff(environment['VIRT_FUNCTIONS_BACK_OFF_MS']),
    timeLimitMs: parseMilliseconds('VIRT_FUNCTIONS_TIME_LIMIT_MS', environment) ?? DEFAULT_TIME_LIMIT_MS,
  };
}

function required(environment: Environment, name: string): string {
  const value = environment[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set`);
  return value;
}

function parseKeys(text: string): SigningKeys {
  try {
    return parseSigningKeys(text);
  } catch (cause) {
    throw new Error('VIRT_FUNCTIONS_SIGNING_KEYS: no usable keys, each needs 32 characters', { cause });
  }
}

function parseBackOff(text: string | undefined): BackOff {
  if (text === undefined || text === '') return DEFAULT_BACK_OFF;
  const [first, ...others] = text.split(',').map(Number);
  if (first === undefined || ![first, ...others].every((ms) => Number.isFinite(ms) && ms > 0))
    throw new Error('VIRT_FUNCTIONS_BACK_OFF_MS: not a list of milliseconds');
  return [first, ...others];
}

function parseMilliseconds(name: string, environment: Environment): number | undefined {
  const text = environment[name];
  if (text === undefined || text === '') return undefined;
  const ms = Number(text);
  if (!Number.isFinite(ms) || ms <= 0) throw new Error(`${name}: not a number of milliseconds`);
  return ms;
}

function parseLevel(text: string | undefined): Level {
  if (text === undefined || text === '') return 'info';
  if (!isLevel(text)) throw new Error('VIRT_FUNCTIONS_LOG_LEVEL: not debug, info, warn or error');
  return text;
}

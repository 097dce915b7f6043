/** How a deployment in an account is to be: what a person may choose. CDK and the Serverless file take the same settings. */
export interface CloudSettings {
  /** Names everything: functions are `<name>-<function>`. */
  readonly name: string;
  /**
   * Who may call a function's address. `iam`: who has the policy `<name>-relay` and signs with it, HMAC within. `hmac`: anybody,
   * HMAC alone tells the relay from others.
   */
  readonly auth: 'iam' | 'hmac';
  readonly logRetentionDays: number;
  /** ARN of an SNS topic that alarms are sent to; absent: they only show. */
  readonly alarmTopicArn?: string;
  /** Concurrent runs kept for a function, and its bound, by the function's name. */
  readonly reservedConcurrency: Readonly<Record<string, number>>;
  /** Change it after the value of the signing Secret has changed: functions take the value when they are deployed. */
  readonly signingKeysVersion: string;
  /** Beside the two that name project and deployment. */
  readonly tags: Readonly<Record<string, string>>;
}

export const DEFAULT_SETTINGS: CloudSettings = {
  name: 'virt-functions',
  auth: 'iam',
  logRetentionDays: 30,
  // Leadership must not wait for deliveries that have taken all of the account's concurrency.
  reservedConcurrency: { lease: 10 },
  signingKeysVersion: '1',
  tags: {},
};

/** The tags that everything bears, for bills. */
export function costTags({ name, tags }: CloudSettings): Readonly<Record<string, string>> {
  return { project: 'virt-functions', deployment: name, ...tags };
}

/** All that can be given as text. */
export const SETTINGS: readonly (keyof CloudSettings)[] = [
  'name',
  'auth',
  'logRetentionDays',
  'alarmTopicArn',
  'reservedConcurrency',
  'signingKeysVersion',
  'tags',
];

/** Finds a setting that was given as text: a context value of CDK, a parameter of the Serverless file. */
export type FindText = (setting: string) => string | undefined;

/**
 * Settings from texts; `reservedConcurrency` and `tags` as `lease=20,vm=100`. Throws with the setting's name.
 */
export function readSettings(find: FindText): CloudSettings {
  const name = find('name') ?? DEFAULT_SETTINGS.name;
  if (!/^[a-z][a-z0-9-]{0,39}$/.test(name)) throw new Error('name: small letters, digits and dashes, 40 at most');
  const auth = find('auth') ?? DEFAULT_SETTINGS.auth;
  if (auth !== 'iam' && auth !== 'hmac') throw new Error(`auth: iam or hmac, not ${auth}`);
  const alarmTopicArn = find('alarmTopicArn');
  return {
    name,
    auth,
    logRetentionDays: whole('logRetentionDays', find) ?? DEFAULT_SETTINGS.logRetentionDays,
    ...(alarmTopicArn !== undefined && alarmTopicArn !== '' && { alarmTopicArn }),
    reservedConcurrency: { ...DEFAULT_SETTINGS.reservedConcurrency, ...numbers('reservedConcurrency', find) },
    signingKeysVersion: find('signingKeysVersion') ?? DEFAULT_SETTINGS.signingKeysVersion,
    tags: Object.fromEntries(pairs('tags', find)),
  };
}

function whole(setting: string, find: FindText): number | undefined {
  const text = find(setting);
  if (text === undefined || text === '') return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${setting}: a whole number from 1, not ${text}`);
  return value;
}

function numbers(setting: string, find: FindText): Record<string, number> {
  return Object.fromEntries(pairs(setting, find).map(([key, value]) => [key, whole(setting, () => value) ?? 1]));
}

function pairs(setting: string, find: FindText): [string, string][] {
  const text = find(setting) ?? '';
  return text
    .split(',')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=');
      if (at <= 0) throw new Error(`${setting}: NAME=VALUE, not ${pair}`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    });
}

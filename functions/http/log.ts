/** Fields of a log line: short facts. Never bodies, snapshots or keys of signatures. */
export type Fields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type Level = (typeof LEVELS)[number];

export function isLevel(text: string): text is Level {
  return LEVELS.some((level) => level === text);
}

/** One line of JSON per message, given to `write` with its line end. */
export function jsonLog(write: (line: string) => void, minimum: Level = 'info', fixed: Fields = {}): Log {
  const at = (level: Level) => (message: string, fields?: Fields) => {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(minimum)) return;
    write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...fixed, ...fields })}\n`);
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** What is logged of anything thrown. */
export function errorFields(error: unknown): Fields {
  if (!(error instanceof Error)) return { error: String(error) };
  return { error: `${error.name}: ${error.message}`, stack: error.stack };
}

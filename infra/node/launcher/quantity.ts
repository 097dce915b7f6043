const SUFFIXES: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** The number that a Kubernetes quantity stands for. Throws on anything else. */
export function quantity(text: string | number): number {
  const match = /^([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)([A-Za-z]{0,2})$/.exec(String(text));
  const factor = SUFFIXES[match?.[2] ?? ''];
  if (match === null || factor === undefined) throw new Error(`${text} is no quantity`);
  return Number(match[1]) * factor;
}

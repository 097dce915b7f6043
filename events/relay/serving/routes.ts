import { Hono } from 'hono';
import type { HealthAnswer } from '../health/healthz.ts';
import type { ShadowReport } from '../shadow/shadow.ts';

/** What the relay tells whoever asks. */
export interface Told {
  readonly health: () => Promise<HealthAnswer>;
  readonly leading: () => boolean;
  /** What a shadow has seen; `undefined`: this relay is none. */
  readonly shadow: () => ShadowReport | undefined;
  readonly metrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
}

/** The health port's: /healthz and /leader (runtime.md 7). Stand-by replicas are ready too, so /leader never fails. */
export function healthRoutes({ health, leading }: Pick<Told, 'health' | 'leading'>): Hono {
  const app = new Hono();
  app.get('/healthz', async (c) => {
    const { status, body } = await health();
    return c.json(body, status);
  });
  app.get('/leader', (c) => c.json({ apiserver: { leader: leading() ? 'true' : 'false' } }));
  return app;
}

/** The main port's: /metrics besides, and /shadow, where there is one. */
export function mainRoutes(told: Told): Hono {
  const app = healthRoutes(told);
  app.get('/metrics', async (c) => {
    const { contentType, text } = await told.metrics();
    return c.body(text, 200, { 'content-type': contentType });
  });
  app.get('/shadow', (c) => {
    const report = told.shadow();
    return report === undefined ? c.notFound() : c.json(report);
  });
  return app;
}

import { Hono } from 'hono';
import type { HealthAnswer } from '../health/healthz.ts';

/** What the relay tells whoever asks. */
export interface Told {
  readonly health: () => Promise<HealthAnswer>;
  readonly leading: () => boolean;
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

/** The main port's: /metrics besides. */
export function mainRoutes(told: Told): Hono {
  const app = healthRoutes(told);
  app.get('/metrics', async (c) => {
    const { contentType, text } = await told.metrics();
    return c.body(text, 200, { 'content-type': contentType });
  });
  return app;
}

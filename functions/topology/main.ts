import { serve } from '../http/serve.ts';
import { topology } from './reads.ts';
import { reconcile } from './reconcile.ts';

export const { path, app, handler } = serve({ controller: topology, reconcile }, import.meta.main);

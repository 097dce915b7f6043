import { serve } from '../http/serve.ts';
import { node } from './reads.ts';
import { reconcile } from './reconcile.ts';

export const { path, app, handler } = serve({ controller: node, reconcile }, import.meta.main);

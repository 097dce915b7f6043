import { serve } from '../http/serve.ts';
import { vmi } from './reads.ts';
import { reconcile } from './reconcile.ts';

export const { path, app, handler } = serve({ controller: vmi, reconcile }, import.meta.main);

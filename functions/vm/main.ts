import { serve } from '../http/serve.ts';
import { vm } from './reads.ts';
import { reconcile } from './reconcile.ts';

export const { path, app, handler } = serve({ controller: vm, reconcile }, import.meta.main);

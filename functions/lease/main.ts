import { defineFunction } from '../http/function-entry.ts';
import { createLeaseApp } from './lease-app.ts';

export const { path, app, handler } = defineFunction(
  'lease',
  ({ settings, ...runtime }) => createLeaseApp({ ...runtime, keys: settings.keys }),
  import.meta.main,
);

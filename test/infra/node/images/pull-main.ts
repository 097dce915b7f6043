/** `pull-main.ts FOLDER REFERENCE`: pulls an image into a folder, and says as JSON what came of it. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ImageSource } from '../../../../infra/node/images/image-source.ts';
import { PullError } from '../../../../infra/node/images/pull-error.ts';

const [folder = '', reference = ''] = process.argv.slice(2);
const source = new ImageSource({ imageFolder: join(folder, 'images'), cacheFolder: folder, silenceMs: 10_000 });
const secrets = { names: [], configs: [], unusable: [] };
const { signal } = new AbortController();
const result = await source
  .obtain({ reference, pullPolicy: 'Always' }, () => Promise.resolve(secrets), signal)
  .then(
    () => ({ failure: 'none' }),
    (error: unknown) =>
      error instanceof PullError ? { failure: error.failure, message: error.message } : { failure: String(error) },
  );
process.stdout.write(JSON.stringify({ ...result, partial: readdirSync(join(folder, 'partial')) }));

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { declaredControllers } from '../../functions/controllers.ts';
import { ROOT } from '../../infra/build/project.ts';
import { functionEntries } from '../../infra/build/sources.ts';

test('every folder with a controller is in the list, and everything in the list is such a folder', () => {
  const isController = (name: string) => existsSync(join(ROOT, 'functions', name, 'reads.ts'));
  const folders = [...functionEntries().keys()].filter(isController);
  expect(declaredControllers.map(({ controller }) => controller.name)).toEqual(folders);
});

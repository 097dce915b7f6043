import { expect, test } from 'vitest';
import { brokenIn } from '../../../infra/build/import-rules.ts';

test.each([
  ['functions/core/x.ts', "import { readFileSync } from 'node:fs';", 1],
  ['functions/core/x.ts', "import type { V1X } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';", 0],
  ['functions/core/x.ts', "import { V1X } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';", 1],
  ['functions/core/x.ts', "import { f } from '../vm/reads.ts';", 1],
  ['functions/vm/x.ts', "import { f } from '../core/kinds.ts';\nimport { g } from './y.ts';", 0],
  ['functions/vm/x.ts', "import { f } from '../vmi/reads.ts';", 1],
  ['functions/vm/x.ts', "import { f } from '../store/table.ts';", 1],
  ['functions/vm/main.ts', "import { f } from '../http/serve.ts';", 0],
  ['functions/brand-new/x.ts', "import { f } from '@aws-sdk/client-dynamodb';", 1],
  ['events/relay/x.ts', "import { vm } from '../../functions/vm/reads.ts';", 0],
  ['events/relay/x.ts', "import { vmWrites } from '../../functions/vm/writes.ts';", 0],
  ['events/relay/x.ts', "import { vm } from '../../functions/vm/reconcile.ts';", 1],
  ['events/relay/x.ts', "export * from '@kubernetes/client-node';", 1],
  ['events/relay/x.ts', "import { Registry } from 'prom-client';", 0],
  ['events/relay/x.ts', "import { Hono } from 'hono';", 0],
  ['events/envelope/x.ts', "import type { A } from '../../functions/core/action.ts';", 0],
  ['events/envelope/x.ts', "import { A } from '../../functions/core/action.ts';", 1],
  ['infra/node/x.ts', "const x = await import('../../functions/http/serve.ts');", 1],
  ['elsewhere/x.ts', '', 1],
])('%s: %s', (file, text, broken) => {
  expect(brokenIn(file, text)).toHaveLength(broken);
});

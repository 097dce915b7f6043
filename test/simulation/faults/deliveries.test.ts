import { testLoop } from './loop-tests.ts';

// The longest loop, in two files that run side by side.
testLoop('deliveries', (scenario) => !scenario.startsWith('vm/'));

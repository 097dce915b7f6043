import { testLoop } from './loop-tests.ts';

testLoop('deliveries', (scenario) => scenario.startsWith('vm/'));

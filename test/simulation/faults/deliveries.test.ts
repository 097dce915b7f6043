import { testLoop } from './loop-tests.ts';

testLoop('deliveries');

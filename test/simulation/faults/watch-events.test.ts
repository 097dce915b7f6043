import { testLoop } from './loop-tests.ts';

testLoop('watch events');

import { testLoop } from './loop-tests.ts';

testLoop('API requests');

import { testLoop } from './loop-tests.ts';

testLoop('paused leaders');

import { testLoop } from './loop-tests.ts';

testLoop('surroundings');

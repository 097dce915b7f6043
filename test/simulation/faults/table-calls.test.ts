import { testLoop } from './loop-tests.ts';

testLoop('calls of the table');

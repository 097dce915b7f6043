// Loaded before a program that must do without a network: whoever opens a connection ends the program.
import { Socket } from 'node:net';

Socket.prototype.connect = (...args) => {
  process.stderr.write(`a connection was opened: ${JSON.stringify(args)}\n`);
  process.exit(70);
};

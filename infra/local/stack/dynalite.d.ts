/** The package has no types of its own. */
declare module 'dynalite' {
  import type { Server } from 'node:http';

  interface Options {
    /** Folder of its LevelDB; absent: in memory. */
    path?: string;
    createTableMs?: number;
    deleteTableMs?: number;
    updateTableMs?: number;
  }
  export default function dynalite(options: Options): Server;
}

// Syncs the log (the file `-wal`) to the disk, in a thread of libuv's pool. SQLite would sync on the event loop, and
// every request would wait for the disk.

import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { DatabaseUnavailable } from '../../values/database-unavailable.ts';

const syncFile = promisify(fdatasync);

export type LogSync = ReturnType<typeof makeLogSync>;

export function makeLogSync(file: string) {
  let log: number | undefined;
  let lost: DatabaseUnavailable | undefined;
  const { promise: whenLost, resolve: announceLoss } = Promise.withResolvers<Error>();

  function lose(cause: unknown): DatabaseUnavailable {
    lost ??= new DatabaseUnavailable(cause);
    announceLoss(lost);
    return lost;
  }

  /** Called before each transaction, so that nothing is committed that cannot be synced. */
  function open(): number {
    if (lost) throw lost;
    // The file exists as long as a connection is open. SQLite holds no locks on it, so closing it here releases none.
    log ??= openLog(file);
    return log;
  }

  return {
    /**
     * Resolves with the error if a sync has failed. The operating system may then have dropped what was written: it can
     * still be read, but it is not on the disk, and a later sync would not notice. So every later sync fails, too.
     */
    whenLost,
    lose,
    open,
    async sync(): Promise<void> {
      await syncFile(open()).catch((error) => {
        throw lose(error);
      });
    },
    close(): void {
      if (log !== undefined) closeSync(log);
    },
  };
}

function openLog(file: string): number {
  try {
    return openSync(`${file}-wal`, 'r+');
  } catch (error) {
    throw new DatabaseUnavailable(error);
  }
}

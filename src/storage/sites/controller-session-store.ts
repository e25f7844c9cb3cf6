// Stores the login sessions of controllers, sealed, so that they can be reused after a restart.

import type { ControllerSessions } from '../../domain/sites/controller-access.ts';
import type { Database } from '../database.ts';
import type { Seal } from '../seal.ts';
import { selectSession, upsertSession } from './controller-session-queries.ts';

export function makeControllerSessions(database: Database, seal: Seal): ControllerSessions {
  return {
    async load(address) {
      const sealed = await selectSession(database.read, address);
      return sealed === undefined ? undefined : seal.open(sealed);
    },
    save: (address, session) =>
      database.write((transaction) => upsertSession(transaction, address, seal.seal(session))),
  };
}

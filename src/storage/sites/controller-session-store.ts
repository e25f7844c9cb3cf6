// Stores the login sessions of controllers, sealed, so that they can be reused after a restart.

import type { ControllerSessions } from '../../domain/sites/controller-access.ts';
import type { Database } from '../database.ts';
import type { Seal } from '../seal.ts';
import { selectSession, upsertSession } from './controller-session-queries.ts';

export function makeControllerSessions(database: Database, seal: Seal): ControllerSessions {
  return {
    async load(urlAndUser) {
      const sealed = await selectSession(database.read, urlAndUser);
      return sealed === undefined ? undefined : seal.open(sealed);
    },
    save: (urlAndUser, session) =>
      database.write((transaction) => upsertSession(transaction, urlAndUser, seal.seal(session))),
  };
}

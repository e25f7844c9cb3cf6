// Stores the login sessions of controllers, sealed, so that they can be reused after a restart.

import type { Database } from '../../platform/database/database.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import type { SealedPlace } from '../../platform/secrets/sealed-columns.ts';
import type { ControllerSessions } from './controller-connection.ts';
import { selectSession, upsertSession } from './controller-session-queries.ts';

const placeOf = (urlAndUser: string): SealedPlace => ({
  table: 'controller_sessions',
  column: 'sealed_session',
  row: urlAndUser,
});

export function makeControllerSessions(database: Database, seal: Seal): ControllerSessions {
  return {
    async load(urlAndUser) {
      const sealed = await selectSession(database.read, urlAndUser);
      return sealed === undefined ? undefined : seal.open(sealed, placeOf(urlAndUser));
    },
    save: (urlAndUser, session) =>
      database.write(async (transaction) => {
        const sealed = await seal.seal(transaction, session, placeOf(urlAndUser));
        await upsertSession(transaction, urlAndUser, sealed);
      }),
  };
}

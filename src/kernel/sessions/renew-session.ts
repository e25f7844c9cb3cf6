// Gives a session a new token when its user ends all other sessions, which also happens with a new password or second
// factor. Anyone who has copied the cookie of this session is then signed out as well.

import type { TextSeal } from '../../platform/secrets/text-seal.ts';
import type { BegunSession } from './begin-session.ts';
import type { ExternalSessionStore } from './external-session.ts';
import { makeSessionToken } from './session-token.ts';
import type { WebSession } from './web-session.ts';

/** Undefined if the session has ended in the meantime. */
export type RenewSession = (
  session: WebSession,
) => Promise<Pick<BegunSession, 'token' | 'stays'> | undefined>;

interface Deps {
  externalSessions: Pick<ExternalSessionStore, 'replaceToken'>;
  textSeal: TextSeal;
}

export function makeRenewSession({ externalSessions, textSeal }: Deps): RenewSession {
  return async function renewSession({ tokenHash: from, userId, stays }) {
    const { token, tokenHash: to } = makeSessionToken(userId, textSeal);
    return (await externalSessions.replaceToken(from, to)) ? { token, stays } : undefined;
  };
}

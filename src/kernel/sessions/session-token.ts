// The token of a session. Only the browser holds it; the store has its hash. It contains the user's id, so that a form
// that is sent after the session has ended can be kept for this user. It is sealed, so that nobody can forge it.

import * as v from 'valibot';
import type { TextSeal } from '../../platform/secrets/text-seal.ts';
import { hashToken, makeToken } from '../../platform/secrets/token.ts';
import type { UserId } from '../ids.ts';

/** No other sealed text begins with this prefix, so none is accepted as the token of a session. */
const PURPOSE = 'session ';

const SESSION = v.object({ id: v.string(), userId: v.number() });

export function makeSessionToken(userId: UserId, textSeal: TextSeal): { token: string; tokenHash: string } {
  const token = textSeal.seal(PURPOSE + JSON.stringify({ id: makeToken().token, userId }));
  return { token, tokenHash: hashToken(token) };
}

/**
 * The id of the user whose session it is or was. Undefined if this installation did not issue the token, or if an
 * earlier release issued it.
 */
export function userIdIn(token: string | undefined, textSeal: TextSeal): number | undefined {
  const opened = token ? textSeal.open(token) : undefined;
  if (!opened?.startsWith(PURPOSE)) return undefined;
  const session = v.safeParse(SESSION, JSON.parse(opened.slice(PURPOSE.length)));
  return session.success ? session.output.userId : undefined;
}

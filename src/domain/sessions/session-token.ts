// The token of a session, which only the browser holds; the store has its hash. It names its user and is sealed, so that a
// form sent after the session has ended can be kept for this user: nobody can make up the token of a session.

import * as v from 'valibot';
import type { UserId } from '../ids.ts';
import type { TextSeal } from '../sites/sealed-connection.ts';
import { hashToken, makeToken } from '../token.ts';

/** No other sealed text begins with this prefix. */
const PURPOSE = 'session ';

const SESSION = v.object({ id: v.string(), userId: v.number() });

export function makeSessionToken(userId: UserId, textSeal: TextSeal): { token: string; tokenHash: string } {
  const token = textSeal.seal(PURPOSE + JSON.stringify({ id: makeToken().token, userId }));
  return { token, tokenHash: hashToken(token) };
}

/** Whose session it is or was. Undefined if this installation did not issue the token, or an earlier release did. */
export function userIdIn(token: string | undefined, textSeal: TextSeal): number | undefined {
  const opened = token ? textSeal.open(token) : undefined;
  if (!opened?.startsWith(PURPOSE)) return undefined;
  const session = v.safeParse(SESSION, JSON.parse(opened.slice(PURPOSE.length)));
  return session.success ? session.output.userId : undefined;
}

// The session that a login to a classic UniFi controller returns and every further call needs, and the result of the
// last login, which is stored as JSON.

import * as v from 'valibot';
import { FAILURE_CAUSES } from '../controller.ts';
import { FLAVOURS } from './requests.ts';

const SESSION = v.object({
  flavour: v.picklist(FLAVOURS),
  /** The Cookie header. */
  cookie: v.string(),
  csrf: v.optional(v.string()),
});
export type ClassicSession = v.InferOutput<typeof SESSION>;

/** A refused login. The next login waits until `untilMs`, because consoles lock out clients that log in too often. */
const REFUSAL = v.object({
  problem: v.object({
    kind: v.picklist(['refused', 'unreachable', 'outcome-unknown']),
    text: v.string(),
    cause: v.exactOptional(v.picklist(FAILURE_CAUSES)),
  }),
  untilMs: v.number(),
  pauseMs: v.number(),
});
export type LoginRefusal = v.InferOutput<typeof REFUSAL>;

const LAST_LOGIN = v.object({
  passwordHash: v.string(),
  session: v.exactOptional(SESSION),
  refusal: v.exactOptional(REFUSAL),
});

/** The result of the last login with this password. Shared by all callers that use the account; survives restarts. */
export type LastLogin = v.InferOutput<typeof LAST_LOGIN>;

/** Undefined if another release stored the login in another format. The next call then logs in again. */
export function readLastLogin(text: string): LastLogin | undefined {
  const read = v.safeParse(LAST_LOGIN, JSON.parse(text));
  return read.success ? read.output : undefined;
}

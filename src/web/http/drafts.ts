// A form that was sent after its session had ended. It is kept, sealed, in the login page, and shown again after the
// same user has logged in. A form with a password or another secret is not kept.

import * as v from 'valibot';
import type { UserId } from '../../domain/ids.ts';
import type { PageContext } from './context.ts';

export interface Draft {
  /** Path and query of the form. */
  action: string;
  /** The path of the page with the form. */
  page: string;
  fields: [name: string, value: string][];
}

/** No other sealed text begins with this prefix. */
const PURPOSE = 'draft ';
const KEPT_MS = 24 * 60 * 60_000;
/** Sealed and encoded, this is still far below the size limit of a form. */
const MAX_LENGTH = 20_000;
const SECRET = /password|secret|^code$|key$|^token$/i;
/** The one-time token, and the vouchers of a confirmation page, which is shown again after the new login. */
const NOT_TYPED = ['once', 'confirmed'];

/** A secret must not be put into a page, not even for the user who typed it. */
export function hasSecret(fields: Draft['fields']): boolean {
  return fields.some(([name, value]) => name !== 'token' && SECRET.test(name) && value !== '');
}

const SEALED = v.object({
  userId: v.number(),
  atMs: v.number(),
  action: v.string(),
  // Absent in drafts of release 0.2.
  page: v.optional(v.string(), '/'),
  fields: v.array(v.tuple([v.string(), v.string()])),
});

/** Undefined if nothing was typed, or too much, or a secret. */
export function sealDraft(
  { app, nowMs: atMs }: PageContext,
  { action, page, fields: all }: Draft,
  userId: number,
): string | undefined {
  // Without its secrets, the form would be saved with the old ones.
  if (hasSecret(all)) return undefined;
  const fields = all.filter(([name]) => !SECRET.test(name));
  if (fields.every(([name]) => NOT_TYPED.includes(name))) return undefined;
  const text = JSON.stringify({ userId, atMs, action, page, fields });
  return text.length > MAX_LENGTH ? undefined : app.textSeal.seal(PURPOSE + text);
}

/** Undefined if the draft belongs to another user, is too old, or was not sealed by this installation. */
export function openDraft(
  { app, nowMs }: PageContext,
  sealed: string | undefined,
  userId: UserId,
): Draft | undefined {
  const opened = sealed ? app.textSeal.open(sealed) : undefined;
  if (!opened?.startsWith(PURPOSE)) return undefined;
  const parsed = v.safeParse(SEALED, JSON.parse(opened.slice(PURPOSE.length)));
  if (!parsed.success) return undefined;
  const { output: draft } = parsed;
  return draft.userId === userId && nowMs - draft.atMs < KEPT_MS ? draft : undefined;
}

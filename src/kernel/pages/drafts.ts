// A draft is a form that was sent after its session had ended. It is encrypted and kept in the login page, and in a
// cookie if it is short enough. After the same user has logged in, it is shown again. A form with a secret is not kept.

import * as v from 'valibot';
import type { UserId } from '../ids.ts';
import type { PageContext } from './context.ts';

export interface Draft {
  /** The path and query to which the form was sent. */
  action: string;
  /** The path of the page with the form. */
  page: string;
  fields: [name: string, value: string][];
}

/** The prefix of the text before encryption, so that no other encrypted text is accepted as a draft. */
const PURPOSE = 'draft ';
const KEPT_MS = 24 * 60 * 60_000;
/** The maximum length of a draft before encryption. An encrypted draft stays far below the size limit of a form. */
const MAX_LENGTH = 20_000;
const SECRET = /password|secret|^code$|key$|^token$/i;
/** Fields with a one-time token or the vouchers to confirm. A form with only these fields is not kept. */
const NOT_TYPED = ['once', 'confirmed'];

/** True if the user has typed a secret. A secret must not be put into a page, not even for the user who typed it. */
export function hasSecret(fields: Draft['fields']): boolean {
  return fields.some(([name, value]) => name !== 'token' && SECRET.test(name) && value !== '');
}

const SEALED = v.object({
  userId: v.number(),
  atMs: v.number(),
  action: v.string(),
  // Drafts that were made by release 0.2 do not contain the page.
  page: v.optional(v.string(), '/'),
  fields: v.array(v.tuple([v.string(), v.string()])),
});

/** Returns the encrypted draft. Undefined if the user typed nothing, too much text, or a secret. */
export function sealDraft(
  { app, nowMs: atMs }: PageContext,
  { action, page, fields: all }: Draft,
  userId: number,
): string | undefined {
  // A form with a typed secret is not kept at all. If it were sent again without the secret, the old one would stay.
  if (hasSecret(all)) return undefined;
  const fields = all.filter(([name]) => !SECRET.test(name));
  if (fields.every(([name]) => NOT_TYPED.includes(name))) return undefined;
  const text = JSON.stringify({ userId, atMs, action, page, fields });
  return text.length > MAX_LENGTH ? undefined : app.textSeal.seal(PURPOSE + text);
}

/** Undefined if the draft belongs to another user, is too old, or was not encrypted by this installation. */
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

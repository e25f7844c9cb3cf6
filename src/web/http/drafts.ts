// A form that was sent after its session had ended. It is kept, sealed, in the login page, and shown again after the
// same user has logged in. A form with a password or another secret is not kept.

import * as v from 'valibot';
import type { UserId } from '../../domain/ids.ts';
import type { TextSeal } from '../../domain/sites/sealed-access.ts';

export interface Draft {
  /** Path and query of the form. */
  action: string;
  /** The path of the page with the form. */
  page: string;
  fields: [name: string, value: string][];
}

export interface Drafts {
  /** Undefined if nothing was typed, or too much, or a secret. */
  seal(draft: Draft, by: { userId: number; nowMs: number }): string | undefined;
  /** Undefined if the draft belongs to another user, is too old, or was not sealed by this installation. */
  open(sealed: string | null, by: { userId: UserId; nowMs: number }): Draft | undefined;
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

export function makeDrafts({ seal, open }: TextSeal): Drafts {
  return {
    seal({ action, page, fields: all }, { userId, nowMs: atMs }) {
      const fields = all.filter(([name]) => !SECRET.test(name));
      // Without its secrets, the form would be saved with the old ones.
      if (hasSecret(all)) return undefined;
      if (fields.every(([name]) => NOT_TYPED.includes(name))) return undefined;
      const text = JSON.stringify({ userId, atMs, action, page, fields });
      return text.length > MAX_LENGTH ? undefined : seal(PURPOSE + text);
    },
    open(sealed, { userId, nowMs }) {
      const opened = sealed ? open(sealed) : undefined;
      if (!opened?.startsWith(PURPOSE)) return undefined;
      const parsed = v.safeParse(SEALED, JSON.parse(opened.slice(PURPOSE.length)));
      if (!parsed.success) return undefined;
      const { output: draft } = parsed;
      return draft.userId === userId && nowMs - draft.atMs < KEPT_MS ? draft : undefined;
    },
  };
}

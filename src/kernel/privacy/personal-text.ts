// Finds a person's name, e-mail address or IP address in stored texts, as whole words and regardless of case, and
// replaces it. A search text is refused if it also occurs in ids or fixed words of records: replacing it there would
// damage the records.

import { parseIp } from '../../platform/network/ip.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';

export const ERASED = '[erased]';
const MIN_LENGTH = 3;

export interface PersonalText {
  isIn(text: string): boolean;
  /** Returns `text` with every occurrence of the personal text replaced. */
  replaceIn(text: string): string;
}

/**
 * Why a text must not be erased. `number`: the text looks like an id, a count or a date in a record. `fixed-word`: the
 * service itself writes this word in records.
 */
export type TextRefusal = 'too-short' | 'number' | 'fixed-word';

const NUMBER = /^(?:\d+(?:,\s*\d+)*|\d{4}-\d{2}-\d{2})$/;
/** Words that the service itself writes in actors and in subjects of the audit log, including JSON in subjects. */
const FIXED_WORDS = new Set(
  [
    'web api cli controller set-up clean-up unknown single sign-on unifi-voucher-tool',
    'voucher vouchers batch batches site sites user users key keys webhook webhooks profile profiles delivery',
    'of and more entries records audit sealed values logo movedsites name active role admin operator read write',
    'null true false erased',
  ].flatMap((line) => line.split(' ')),
);

export function makePersonalText(text: string): Result<PersonalText, TextRefusal> {
  const wanted = text.normalize().trim();
  if ([...wanted].length < MIN_LENGTH) return fail('too-short');
  if (NUMBER.test(wanted)) return fail('number');
  if (isFixed(wanted)) return fail('fixed-word');
  const literal = wanted.split(/\s+/).map(RegExp.escape).join(String.raw`\s+`);
  const [before, after] = boundariesOf(wanted);
  const pattern = new RegExp(`${before}${literal}${after}`, 'giu');
  return ok({
    isIn: (one) => one.normalize().search(pattern) >= 0,
    replaceIn: (one) => one.normalize().replaceAll(pattern, ERASED),
  });
}

/** Whether the text has only fixed words, with or without numbers between them, such as `voucher 1234 of site 1`. */
function isFixed(wanted: string): boolean {
  const words = wanted
    .toLowerCase()
    .split(/[\s,:()[\]{}"]+/)
    .filter(Boolean);
  return (
    words.some((word) => FIXED_WORDS.has(word)) &&
    words.every((word) => FIXED_WORDS.has(word) || /^\d+$/.test(word))
  );
}

/**
 * Patterns for what must not stand directly before and after the text. An IP address must not be part of a longer one.
 * A full stop may follow an IP address, and a port may follow an IPv4 address.
 */
function boundariesOf(wanted: string): [before: string, after: string] {
  const word = String.raw`[\p{L}\p{N}]`;
  const kind = parseIp(wanted)?.kind();
  if (kind === 'ipv4') return [String.raw`(?<!${word}|\d\.)`, String.raw`(?!\.?${word})`];
  if (kind === 'ipv6') return [String.raw`(?<!${word}|[\da-f:]:)`, `(?![.:]{0,2}${word}|::)`];
  return [`(?<!${word})`, `(?!${word})`];
}

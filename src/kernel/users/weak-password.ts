// Finds passwords that are too short or easy to guess. Common words and the words of the account itself are easy to
// guess, also with digits, years, keyboard rows or repeats around them, and with letters written as digits. Works
// offline.

import { COMMON_WORDS, FILLER_WORDS } from './common-words.ts';
import { MIN_PASSWORD_LENGTH } from './password.ts';

/** `own-words`: made of the user's name or e-mail address, or of the installation's title. */
export type PasswordIssue = 'too-short' | 'common' | 'own-words';

export interface AccountWords {
  email: string;
  name: string;
  /** The installation's title. */
  title: string;
}

/** For the command line and the log, which are in English. */
export const PASSWORD_ADVICE: Record<PasswordIssue, string> = {
  'too-short': `a password has at least ${MIN_PASSWORD_LENGTH} characters`,
  common:
    'this password is among the first that attackers try; better: four words that do not belong together',
  'own-words':
    'this password is made of the name, the address or the title; better: four words that do not belong together',
};

/** A password of this many unrelated words is accepted, even if each of the words is common. */
const MIN_WORDS = 4;
/** This many letters and digits must be left after everything that is easy to guess was taken away. */
const MIN_LEFT = 4;
/** The minimum length of a password that consists of digits only. Shorter numbers may be telephone numbers or dates. */
const MIN_DIGITS = 16;
/** A password that only repeats a text is refused if that text is shorter than this. */
const MIN_REPEATED = 8;
/** Only the beginning of a long password is examined: the rest cannot make it weaker. */
const MAX_EXAMINED = 100;
const MIN_OWN_WORD = 3;

/** Rows, columns and zigzags of German, English and French keyboards, the alphabet and the digits. */
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertzuiopue',
  'qwertyuiop',
  'azertyuiop',
  'asdfghjkloeae',
  'qsdfghjklm',
  'yxcvbnm',
  'zxcvbnm',
  'wxcvbn',
  'qaywsxedcrfvtgbzhnujmikolp',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1qay2wsx3edc4rfv5tgb6zhn7ujm8ik9ol0p',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6z7u8i9o0p',
  '1q2w3e4r5t6y7u8i9o0p',
  'a1b2c3d4e5f6g7h8i9j0',
  '1a2b3c4d5e6f7g8h9i0j',
];
const RUNS = [...ROWS, ...ROWS.map(reversed)];
const MIN_RUN = 3;

/** Letters that are often written as digits or signs. `1` may stand for i or l. */
const LEET: Record<string, string> = {
  '0': 'o',
  '3': 'e',
  '4': 'a',
  '@': 'a',
  '5': 's',
  $: 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '!': 'i',
  '€': 'e',
  '|': 'l',
};

const longestFirst = (words: Iterable<string>) =>
  [...new Set(words)].sort((one, other) => other.length - one.length);
const COMMON = longestFirst(COMMON_WORDS);
const FILLERS = longestFirst(FILLER_WORDS);

export function findPasswordIssue(password: string, about: AccountWords): PasswordIssue | undefined {
  if ([...password].length < MIN_PASSWORD_LENGTH) return 'too-short';
  const readings = readingsOf(plain(password.slice(0, MAX_EXAMINED)));
  if (readings.some((reading) => isWeak(reading, []))) return 'common';
  const own = ownWords(about);
  return readings.some((reading) => isWeak(reading, own)) ? 'own-words' : undefined;
}

/** Converts text to lower case, removes accents, and writes umlauts as two letters. */
function plain(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöü]/g, (letter) => ({ ä: 'ae', ö: 'oe' })[letter] ?? 'ue')
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '');
}

/** All readings of a password: as it is, with its digits read as letters, and each of these backwards. */
function readingsOf(text: string): string[] {
  const forward = [text, leet(text, 'i'), leet(text, 'l')].map((reading) =>
    reading.replace(/[^\p{L}\p{N}]/gu, ''),
  );
  return [...new Set([...forward, ...forward.map(reversed)])];
}

function leet(text: string, one: string): string {
  return text
    .replace(/^[\W_]*\d{2,6}(?!\d)|(?<!\d)\d{2,6}[\W_]*$/g, '')
    .replace(/./gu, (sign) => (sign === '1' ? one : (LEET[sign] ?? sign)));
}

function isWeak(text: string, own: string[]): boolean {
  const unit = /^(.+?)\1+$/u.exec(text)?.[1];
  if (unit && unit.length < MIN_REPEATED) return true;
  if (/^\d+$/.test(text) && text.length < MIN_DIGITS) return true;
  let left = text;
  let common = 0;
  const take = (word: string) => {
    if (!left.includes(word)) return false;
    left = left.replaceAll(word, ' ');
    return true;
  };
  for (const word of own) take(word);
  for (const word of COMMON) if (take(word)) common += 1;
  if (common >= MIN_WORDS) return false;
  for (const word of FILLERS) take(word);
  left = withoutRuns(left)
    .replace(/(?:19|20)\d\d/g, ' ')
    .replace(/(.)\1{2,}/gu, ' ')
    // Remove numbers that stand alone after the words are removed, such as 7 or 42.
    .replace(/(?<=^|\s)\d{1,6}(?=\s|$)/g, ' ')
    .replace(/\s/g, '');
  return [...left].length < MIN_LEFT;
}

/** Takes away every run of at least three neighbouring keys. */
function withoutRuns(text: string): string {
  let left = '';
  for (let at = 0; at < text.length; ) {
    const length = runLengthAt(text, at);
    left += length > 0 ? ' ' : text.charAt(at);
    at += Math.max(length, 1);
  }
  return left;
}

function runLengthAt(text: string, at: number): number {
  let longest = 0;
  for (let end = at + MIN_RUN; end <= text.length; end++) {
    const piece = text.slice(at, end);
    if (!RUNS.some((row) => row.includes(piece))) break;
    longest = piece.length;
  }
  return longest;
}

/** `gastpass`, and the words of the name, the title and the e-mail address without its top-level domain. */
function ownWords({ email, name, title }: AccountWords): string[] {
  const [local = '', domain = ''] = email.split('@');
  const host = domain.includes('.') ? domain.slice(0, domain.lastIndexOf('.')) : domain;
  const texts = [local, host, name, title, 'gastpass'].map(plain);
  const parts = texts.flatMap((text) => [
    ...text.split(/[^\p{L}\p{N}]+/u),
    ...text.split(/[^\p{L}]+/u),
    text.replace(/[^\p{L}\p{N}]/gu, ''),
  ]);
  const found = parts.filter((part) => part.length >= MIN_OWN_WORD);
  return longestFirst([...found, ...found.map(reversed)]);
}

function reversed(text: string): string {
  return [...text].reverse().join('');
}

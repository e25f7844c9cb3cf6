// What requests may contain. The decoders and the schemas of the OpenAPI document both come from here. Every message
// continues a sentence that begins with the name of the field.

import {
  boolean,
  check,
  description,
  type GenericSchema,
  type InferOutput,
  integer,
  maxValue,
  metadata,
  minValue,
  nullish,
  number,
  optional,
  picklist,
  pipe,
  strictObject,
  string,
} from 'valibot';
import { MAX_BATCH_SIZE } from '../../kernel/batches/batch.ts';
import { MAX_NIGHTS, readEndS } from '../../kernel/vouchers/nights.ts';
import { isPlainText, trimName } from '../../kernel/vouchers/voucher-name.ts';
import {
  MAX_INTEGER,
  MAX_NAME_LENGTH,
  MAX_NOTE_LENGTH,
  MAX_REFERENCE_LENGTH,
} from '../../kernel/vouchers/voucher-order.ts';
import { VOUCHER_STATES } from '../../kernel/vouchers/voucher-state.ts';
import { isLanguageTag } from '../../platform/text/language.ts';
import { isMailAddress, MAX_ADDRESS_LENGTH } from '../../platform/text/mail-address.ts';
import { readCursor } from './cursor.ts';

export const DEFAULT_LIMIT = 100;
export const MAX_LIMIT = 500;

function whole(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return pipe(number(message), integer(message), minValue(min, message), maxValue(max, message));
}

/** `isValid` gets the text without white space at its ends. */
function text(maxLength: number, isValid: (trimmed: string) => boolean) {
  const message = `must be text of 1 to ${maxLength} characters, without control characters and characters that hide or reorder text`;
  const isTooLong = (trimmed: string) => trimmed.length > maxLength && [...trimmed].length > maxLength;
  return pipe(
    string(message),
    metadata({ minLength: 1, maxLength }),
    check((given) => {
      const trimmed = trimName(given);
      return trimmed !== '' && !isTooLong(trimmed) && isValid(trimmed);
    }, message),
  );
}

/** For texts that are searched for: earlier releases stored more characters. */
const isStorable = (given: string) => !/\p{Cc}/u.test(given) && given.isWellFormed();

const TIME_MESSAGE = 'must be a time of RFC 3339 with its zone, such as 2026-12-24T10:00:00Z';
const TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;
const time = pipe(
  string(TIME_MESSAGE),
  metadata({ format: 'date-time' }),
  check((given) => TIME.test(given) && readTimeS(given) !== undefined, TIME_MESSAGE),
);

/** Seconds since 1970, without fractions. */
export function readTimeS(given: string): number | undefined {
  return readEndS(given, { checkOut: '00:00', timeZone: 'UTC' });
}

const ADDRESS_MESSAGE = 'must be one e-mail address, such as guest@example.org';
const address = pipe(
  string(ADDRESS_MESSAGE),
  metadata({ format: 'email', maxLength: MAX_ADDRESS_LENGTH }),
  check(isMailAddress, ADDRESS_MESSAGE),
);

const LANGUAGE_MESSAGE = 'must be a language tag, such as de or en-GB';
const languageTag = pipe(string(LANGUAGE_MESSAGE), check(isLanguageTag, LANGUAGE_MESSAGE));

const about = <Schema extends GenericSchema>(schema: Schema, words: string) =>
  pipe(schema, description(words));

export const NewVouchers = strictObject(
  {
    site: about(whole(1, MAX_INTEGER), 'The id of the site.'),
    name: about(
      text(MAX_NAME_LENGTH, isPlainText),
      'Whom or what the voucher is for. White space at the ends is removed.',
    ),
    devices: about(
      optional(whole(1, MAX_INTEGER)),
      'How many devices may use the voucher; default: of the profile, or 1.',
    ),
    minutes: about(
      nullish(whole(1, MAX_INTEGER)),
      'How many minutes the voucher lasts from its first use. At most one of `minutes`, `nights` and `ends_at`; default: of the profile, or 480 minutes.',
    ),
    nights: about(
      nullish(whole(1, MAX_NIGHTS)),
      'After how many nights the voucher ends, at the check-out time of the site.',
    ),
    ends_at: about(nullish(time), 'The moment at which the voucher ends.'),
    down_kbps: about(
      nullish(whole(1, MAX_INTEGER)),
      'Download limit in kbit/s. Null: unlimited; default: of the profile, or unlimited.',
    ),
    up_kbps: about(nullish(whole(1, MAX_INTEGER)), 'Upload limit in kbit/s, like `down_kbps`.'),
    data_mb: about(nullish(whole(1, MAX_INTEGER)), 'Data limit in MB, like `down_kbps`.'),
    profile: about(
      nullish(whole(1, MAX_INTEGER)),
      'The id of a profile of the site, for what the order does not say itself.',
    ),
    reference: about(
      nullish(text(MAX_REFERENCE_LENGTH, isPlainText)),
      'Your own reference, such as the number of a booking. Vouchers can be found by it.',
    ),
    replaces: about(
      optional(boolean('must be true or false')),
      'Whether the voucher replaces all other living vouchers of this API key with the same `reference` at the site. They are revoked once the new voucher exists. Not together with `count`.',
    ),
    note: about(nullish(text(MAX_NOTE_LENGTH, isPlainText)), 'Your own note.'),
    email: about(
      nullish(address),
      'The address that the voucher is sent to once it exists. With `count`, each voucher is sent in an e-mail of its own.',
    ),
    language: about(
      nullish(languageTag),
      'The language of the e-mail (BCP 47), such as `de` or `en-GB`. Default, also for a language that is not offered: that of the site.',
    ),
    print: about(
      nullish(whole(1, MAX_INTEGER)),
      'The id of a printer of the site, which prints the voucher once it exists. With `count`, each voucher is printed.',
    ),
    count: about(
      optional(whole(1, MAX_BATCH_SIZE)),
      'How many equal vouchers to create; default: 1. More than one are created as a batch, in the background.',
    ),
  },
  'is required',
);
export type NewVouchers = InferOutput<typeof NewVouchers>;

export const ListQuery = strictObject({
  site: about(
    optional(whole(1, MAX_INTEGER)),
    'Only vouchers of this site; default: of all sites of the API key.',
  ),
  status: about(
    optional(picklist(VOUCHER_STATES, `must be one of ${VOUCHER_STATES.join(', ')}`)),
    'Only vouchers that have this status now.',
  ),
  reference: about(
    optional(text(MAX_REFERENCE_LENGTH, isStorable)),
    'Only vouchers with exactly this reference.',
  ),
  name: about(
    optional(text(MAX_NAME_LENGTH, isStorable)),
    'Only vouchers whose name contains this text, in upper or lower case.',
  ),
  created_after: about(optional(time), 'Only vouchers that were created at this moment or later.'),
  cursor: about(
    optional(
      pipe(
        string(),
        check((given) => readCursor(given) !== undefined, 'must be the next_cursor of an earlier page'),
      ),
    ),
    'The `next_cursor` of the previous page. It does not expire.',
  ),
  limit: about(
    optional(whole(1, MAX_LIMIT)),
    `How many vouchers a page has at most; default: ${DEFAULT_LIMIT}.`,
  ),
});
export type ListQuery = InferOutput<typeof ListQuery>;

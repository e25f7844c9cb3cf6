// The bodies of the responses. The types of what handlers return and the schemas of the OpenAPI document both come from
// here, so they cannot differ. Responses may get further fields: a client must ignore fields that it does not know.

import {
  array,
  description,
  type GenericSchema,
  type InferOutput,
  integer,
  literal,
  metadata,
  nullable,
  number,
  object,
  optional,
  picklist,
  pipe,
  string,
  union,
} from 'valibot';
import { SCOPES } from '../../kernel/keys/api-key.ts';
import { VOUCHER_STATES } from '../../kernel/vouchers/voucher-state.ts';

const text = (about: string) => pipe(string(), description(about));
const whole = (about: string) => pipe(number(), integer(), description(about));
const time = (about: string) => pipe(string(), metadata({ format: 'date-time' }), description(about));
const orNull = <Schema extends GenericSchema>(schema: Schema, about: string) =>
  pipe(nullable(schema), description(about));
const wholeOrNull = (about: string) => orNull(pipe(number(), integer()), about);
const timeOrNull = (about: string) => orNull(pipe(string(), metadata({ format: 'date-time' })), about);

const limits = {
  down_kbps: wholeOrNull('Download limit per device in kbit/s. Null: unlimited.'),
  up_kbps: wholeOrNull('Upload limit per device in kbit/s. Null: unlimited.'),
  data_mb: wholeOrNull('Data limit in MB. Null: unlimited.'),
};

export const Voucher = object({
  id: whole('The id of the voucher in this service. It never changes.'),
  site: whole('The id of the site.'),
  name: text('The name as it was given, without the date that precedes it on the controller.'),
  code: text('What the guest types, without dashes.'),
  formatted_code: text('The code as it is written for people.'),
  status: pipe(
    picklist(VOUCHER_STATES),
    description(
      '`unused`: nobody has used it. `in-use`: its time is running. `used-up`: its time is running, and no further device can log in. `expired`: its time is over. `revoked`: it was revoked through this service. `deleted`: it disappeared from the controller before its end.',
    ),
  ),
  devices: whole(
    'How many devices may use it. 0: any number, which only vouchers made on the controller have.',
  ),
  used: whole('How many devices have used it.'),
  minutes: whole('How many minutes it lasts from its first use.'),
  ends_at: timeOrNull('The end that was ordered. Null: only `minutes` counts.'),
  expires_at: timeOrNull('When its time is over. Null while that is not known, because nobody has used it.'),
  ...limits,
  profile: wholeOrNull('The id of the profile it was ordered with.'),
  reference: orNull(string(), 'Your own reference, such as the number of a booking.'),
  note: orNull(string(), 'Your own note.'),
  created_at: time('When it was created.'),
});

const HistoryEvent = object({
  at: time('When it happened.'),
  event: picklist(['created', 'first-used', 'revoked', 'deleted', 'expired']),
  by: orNull(
    picklist(['key', 'user', 'controller', 'command-line']),
    'What kind of actor did it. Null: nobody did, or it is not known.',
  ),
  key: orNull(string(), 'The name of the API key, if `by` is `key`. Names of users are never given.'),
});

export const VoucherWithHistory = object({
  ...Voucher.entries,
  history: pipe(array(HistoryEvent), description('What happened to the voucher, oldest first.')),
});

export const VoucherPage = object({
  vouchers: pipe(
    array(Voucher),
    description('Newest first. May be fewer than `limit`, even on a page that is not the last.'),
  ),
  next_cursor: orNull(string(), 'Send it as `cursor` to get the next page. Null on the last page.'),
});

const Range = object({ min: whole('The smallest value.'), max: whole('The largest value.') });

const Profile = object({
  id: whole('The id of the profile.'),
  name: text('The name of the profile.'),
  devices: whole('How many devices may use a voucher.'),
  minutes: wholeOrNull(
    'How many minutes a voucher lasts from its first use. Null if the profile has `nights`.',
  ),
  nights: wholeOrNull('After how many nights a voucher ends, at the check-out time of the site.'),
  ...limits,
});

const Printer = object({ id: whole('The id of the printer.'), name: text('The name of the printer.') });

export const Site = object({
  id: whole('The id of the site.'),
  name: text('The name of the site.'),
  time_zone: text('The time zone of the site, as IANA names it.'),
  check_out: text('The time of day (HH:MM) at which vouchers for nights end.'),
  controller: text('The kind of network controller.'),
  profiles: pipe(array(Profile), description('The profiles that an order may name.')),
  printers: pipe(array(Printer), description('The printers that an order may name.')),
  limits: pipe(
    object({ devices: Range, minutes: Range, down_kbps: Range, up_kbps: Range, data_mb: Range }),
    description('The values that an order may have at this site.'),
  ),
});

export const SiteList = object({ sites: array(Site) });

export const Key = object({
  name: text('The name of the API key.'),
  scope: pipe(picklist(SCOPES), description('`write` includes `read`.')),
  sites: pipe(
    union([literal('all'), array(pipe(number(), integer()))]),
    description('The ids of the sites that the key may use, or `all`.'),
  ),
  rate_limit: wholeOrNull('Requests per minute. Null: unlimited.'),
  expires_at: timeOrNull('From this time on the key is refused. Null: never.'),
});

export const RETRIES = ['no', 'yes', 'after-settling'] as const;
const problem = {
  type: pipe(
    string(),
    metadata({ format: 'uri-reference' }),
    description('The kind of problem. Compare it as text; opened in a browser, it explains the problem.'),
  ),
  title: text('The kind of problem in words.'),
  cause: orNull(string(), 'Why the controller failed, if that is the problem and the cause is known.'),
  retry: pipe(
    picklist(RETRIES),
    description(
      '`no`: the same request fails again. `yes`: repeat it. `after-settling`: a voucher may exist; repeat the request only with the same Idempotency-Key.',
    ),
  ),
};

const FieldError = object({
  field: text('The name of the field, the parameter or the header.'),
  message: text('What is wrong with it.'),
});

export const Problem = object({
  ...problem,
  status: whole('The status of the response.'),
  detail: text('What happened this time.'),
  errors: optional(pipe(array(FieldError), description('All invalid fields of the request.'))),
  request_id: text('The id of the request in the log of the service.'),
});

export const Batch = object({
  id: pipe(string(), metadata({ format: 'uuid' }), description('The id of the batch.')),
  state: pipe(
    picklist(['running', 'done', 'failed']),
    description(
      '`running`: the batch is being filled, or waits and goes on by itself. `failed`: it has ended with fewer vouchers than ordered. Those that exist are valid.',
    ),
  ),
  count: whole('How many vouchers were ordered.'),
  created: whole('How many vouchers exist.'),
  vouchers: pipe(array(Voucher), description('The vouchers that exist, newest first.')),
  waiting: orNull(
    object({
      cause: orNull(string(), 'Why the controller fails, if the cause is known.'),
      until: time(
        'Until when the batch goes on by itself. If the controller still fails then, the batch has failed.',
      ),
    }),
    'Set while a running batch waits because the controller fails. It goes on by itself.',
  ),
  problem: orNull(
    object(problem),
    'Why vouchers are missing. Null if none are missing, or while the batch is running.',
  ),
});

const Replaced = object({
  id: whole('The id of a voucher that the new one replaces.'),
  state: pipe(
    picklist(['done', 'pending']),
    description(
      '`pending`: the controller could not be reached. The voucher is still valid and is revoked as soon as possible.',
    ),
  ),
});

export const CreatedVouchers = object({
  vouchers: array(Voucher),
  replaced: optional(
    pipe(array(Replaced), description('Only for an order with `replaces`: the vouchers that it replaces.')),
  ),
});
export const AcceptedBatch = object({ batch: Batch });

export type Voucher = InferOutput<typeof Voucher>;
export type VoucherWithHistory = InferOutput<typeof VoucherWithHistory>;
export type HistoryEvent = InferOutput<typeof HistoryEvent>;
export type VoucherPage = InferOutput<typeof VoucherPage>;
export type Site = InferOutput<typeof Site>;
export type SiteList = InferOutput<typeof SiteList>;
export type Key = InferOutput<typeof Key>;
export type Batch = InferOutput<typeof Batch>;
export type CreatedVouchers = InferOutput<typeof CreatedVouchers>;
export type Replaced = InferOutput<typeof Replaced>;
export type AcceptedBatch = InferOutput<typeof AcceptedBatch>;
export type ProblemDetails = InferOutput<typeof Problem>;
export type FieldError = InferOutput<typeof FieldError>;

// `gastpass vouchers create`: creates one voucher, or several with the same name and limits, and prints the codes.

import type { OrderedMail } from '../../features/mail/mail.ts';
import type { OrderedPrint } from '../../features/printers/print-job.ts';
import type { ReserveProblem } from '../../features/reserve/hand-out-reserve.ts';
import {
  type Arguments,
  type Command,
  CommandFailed,
  switches,
  texts,
  WrongUsage,
} from '../../platform/cli/command.ts';
import { print, printJson, secondsToTime } from '../../platform/cli/print.ts';
import { isLanguageTag, offeredLanguage } from '../../platform/text/language.ts';
import { isMailAddress } from '../../platform/text/mail-address.ts';
import { toOneLine } from '../../platform/text/one-line.ts';
import { DatabaseUnavailable } from '../../platform/values/database-unavailable.ts';
import { UNKNOWN } from '../../platform/values/unknown-value.ts';
import { MAX_BATCH_SIZE } from '../batches/batch.ts';
import { auditContext } from '../command-tools.ts';
import { MAX_VOUCHERS_PER_CALL, type VoucherLimits } from '../controllers/controller.ts';
import type { SiteId } from '../ids.ts';
import type { Installation } from '../installation.ts';
import { sayOutdated } from '../instances/known-since.ts';
import type { CreationProblem, OrderField, OutOfBounds } from '../problem.ts';
import type { Profile } from '../profiles/profile.ts';
import { findProfile } from '../profiles/profile-option.ts';
import { findSite, readSiteIdOption } from '../sites/site-id-option.ts';
import { durationOption, writeDuration } from './duration-option.ts';
import {
  checkOutAfterS,
  checkOutOf,
  type LocalCheckOut,
  MAX_NIGHTS,
  minutesUntil,
  readEndS,
} from './nights.ts';
import { formatCode } from './voucher.ts';
import { findNameProblem, trimName } from './voucher-name.ts';
import { DEFAULT_EXPIRE_MINUTES, DEFAULT_MAX_USES, MAX_INTEGER, MAX_NAME_LENGTH } from './voucher-order.ts';
import type { CreatedVoucher } from './voucher-records.ts';

const DEFAULTS: VoucherLimits & Pick<Profile, 'nights'> = {
  maxUses: DEFAULT_MAX_USES,
  expireMinutes: DEFAULT_EXPIRE_MINUTES,
  downKbps: 0,
  upKbps: 0,
  quotaMb: 0,
};

/** Options that an order from the reserve cannot have: its vouchers exist already. */
const SET_BY_RESERVE = ['profile', 'duration', 'nights', 'until', 'uses', 'down', 'up', 'quota'];

export const create: Command = {
  name: 'vouchers create',
  summary: 'Create one voucher, or several with the same name and limits, and print the codes.',
  usage:
    '--site ID --name NAME [--profile PROFILE] [--duration TIME | --nights N | --until TIME] [--uses N] [--down KBPS] [--up KBPS] [--quota MB] [--count N] [--from-reserve] [--email ADDRESS [--language LANGUAGE]] [--print PRINTER]',
  help: [
    `--duration is how long the voucher works after its first use: 90m, 8h, 3d or 2w. The default is ${writeDuration(DEFAULT_EXPIRE_MINUTES)}.`,
    '--nights N ends the voucher at the check-out time of the site on the N-th day after today.',
    '--until TIME ends it then: 2026-11-20 (until check-out), 2026-11-20T10:30 in the time zone of the site, or RFC 3339.',
    `--uses is how many devices can use the voucher. The default is ${DEFAULT_MAX_USES}.`,
    '--down and --up limit the speed in kbit/s, --quota the data volume in MB. 0, the default, means unlimited.',
    '--profile takes these values from a profile, which you give by name or number. Other options take precedence.',
    `--count creates up to ${MAX_BATCH_SIZE} vouchers. If only some can be created, their codes are printed and the exit code is 1.`,
    '--from-reserve hands out vouchers that were made ahead; the controller is not asked. They have the limits of the reserve: see gastpass sites set --help.',
    '--email sends each voucher to this address; the service must be running for that. --language is the language of the e-mail, such as de or en-GB; the default is that of the site.',
    '--print prints each voucher on a printer of the site: give its id from gastpass printers list. The service must be running for that.',
  ].join('\n'),
  options: {
    ...texts('site', 'name', ...SET_BY_RESERVE, 'count', 'email', 'language', 'print'),
    ...switches('from-reserve'),
  },
  prints: true,
  async run(args, { withInstallation }) {
    const siteId = readSiteIdOption(args.required('site'));
    const name = nameOption(args);
    const profileText = args.text('profile');
    const chosen = limitsOf(args);
    const end = endOption(args);
    const count = args.count('count', MAX_BATCH_SIZE) ?? 1;
    const mail = mailOption(args);
    const printerId = args.count('print', MAX_INTEGER);
    const isFromReserve = reserveOption(args);
    await withInstallation(async (installation, { timeZone }) => {
      const site = await findSite(installation, siteId);
      if (!site.active)
        throw new CommandFailed(
          `${site.name} is inactive; activate it: gastpass sites set ${siteId} --active`,
        );
      const profile =
        profileText === undefined ? DEFAULTS : await findProfile(installation, siteId, profileText);
      const printing = printerId !== undefined && {
        print: await findPrinter(installation, siteId, printerId),
      };
      const { clock } = installation;
      const { maxUses, expireMinutes, downKbps, upKbps, quotaMb } = { ...profile, ...chosen };
      const limits = { maxUses, expireMinutes, downKbps, upKbps, quotaMb };
      const ofProfile = chosen.expireMinutes === undefined ? profile.nights : undefined;
      const endsAtS = toEndS(end ?? { nights: ofProfile }, checkOutOf(site, timeZone), clock.nowMs());
      const ending = endsAtS !== undefined && { endsAtS };
      const order = { siteId, name, ...limits, ...ending, ...(mail && { mail }), ...printing };
      const { makeCreationUseCases } = await import('./creation-use-cases.ts');
      const { makeHandOutUseCases } = await import('../../features/reserve/hand-out-use-cases.ts');
      const { createVouchers, refuseMany } = makeCreationUseCases(installation, { timeZone });
      const { handOutSeveral } = makeHandOutUseCases(installation, { timeZone });
      const getVouchers = isFromReserve ? handOutSeveral : createVouchers;
      const { actor } = auditContext(installation);
      const refusal = await refuseMany(order, { actor, count });
      const outcome = refusal
        ? { created: [], problem: refusal }
        : await createAll(count, async (some) => {
            const made: Outcome = await getVouchers(order, some, { actor });
            if (!args.has('json')) printCodes(made.created);
            return made;
          });
      if (args.has('json')) printAsJson(outcome.created);
      if (outcome.problem)
        throw toError(outcome.problem, { siteId, count, hasEnd: endsAtS !== undefined, ...outcome });
    });
  },
};

function nameOption(args: Arguments): string {
  const name = trimName(args.required('name'));
  const problem = findNameProblem(name);
  if (problem?.kind === 'name-too-long')
    throw new WrongUsage(`--name: expected at most ${MAX_NAME_LENGTH} characters`);
  if (problem) throw new WrongUsage('--name: control characters and invisible characters are not allowed');
  return name;
}

function reserveOption(args: Arguments): boolean {
  const isFromReserve = args.has('from-reserve');
  const given = SET_BY_RESERVE.find((name) => args.text(name) !== undefined);
  if (isFromReserve && given !== undefined)
    throw new WrongUsage(`--from-reserve and --${given} exclude each other: the vouchers exist already`);
  return isFromReserve;
}

function mailOption(args: Arguments): OrderedMail | undefined {
  const address = args.text('email');
  const tag = args.text('language');
  if (address !== undefined && !isMailAddress(address))
    throw new WrongUsage('--email: expected one address such as guest@example.org');
  if (tag !== undefined && !isLanguageTag(tag))
    throw new WrongUsage('--language: expected a language such as de or en-GB');
  if (address === undefined && tag !== undefined) throw new WrongUsage('--language needs --email');
  const language = tag === undefined ? undefined : offeredLanguage(tag);
  return address === undefined ? undefined : { address, ...(language && { language }) };
}

interface End {
  nights?: number | undefined;
  until?: string | undefined;
}

function endOption(args: Arguments): End | undefined {
  const given = ['duration', 'nights', 'until'].filter((name) => args.text(name) !== undefined);
  if (given.length > 1)
    throw new WrongUsage(`${given.map((name) => `--${name}`).join(' and ')} exclude each other`);
  const end = { nights: args.count('nights', MAX_NIGHTS), until: args.text('until') };
  return end.nights === undefined && end.until === undefined ? undefined : end;
}

function toEndS({ nights, until }: End, checkOut: LocalCheckOut, nowMs: number): number | undefined {
  if (nights !== undefined) return checkOutAfterS(nowMs, nights, checkOut);
  if (until === undefined) return undefined;
  const endsAtS = readEndS(until, checkOut);
  if (endsAtS === undefined)
    throw new WrongUsage('--until: expected a date or time such as 2026-11-20 or 2026-11-20T10:30');
  if (minutesUntil(endsAtS, nowMs) <= 0) throw new WrongUsage('--until: this time has passed');
  return endsAtS;
}

/** Only the limits that are given as options. */
function limitsOf(args: Arguments): Partial<VoucherLimits> {
  const limits = {
    maxUses: args.count('uses', MAX_INTEGER),
    expireMinutes: durationOption(args, 'duration'),
    downKbps: args.integer('down', MAX_INTEGER),
    upKbps: args.integer('up', MAX_INTEGER),
    quotaMb: args.integer('quota', MAX_INTEGER),
  };
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}

/** An order with another printer is refused anyway. This message says which printers there are. */
async function findPrinter({ printers }: Installation, siteId: SiteId, id: number): Promise<OrderedPrint> {
  const usable = (await printers.list([siteId])).filter(({ kind }) => kind !== UNKNOWN);
  const found = usable.find((printer) => printer.id === id);
  if (found) return { printerId: found.id };
  const list = usable.map(({ id, name }) => `${id} ${toOneLine(name)}`).join(', ');
  throw new CommandFailed(`the site has no such printer; it has: ${list || 'none'}`);
}

interface Outcome {
  created: CreatedVoucher[];
  problem?: CreationProblem | ReserveProblem;
  /** True if vouchers that are missing in `created` may exist on the controller. */
  isOpen?: boolean;
}

/**
 * Calls the controller until all vouchers are created or a call fails. Always returns the vouchers of earlier calls.
 */
async function createAll(count: number, createSome: (count: number) => Promise<Outcome>): Promise<Outcome> {
  const created: CreatedVoucher[] = [];
  while (created.length < count) {
    const some = Math.min(count - created.length, MAX_VOUCHERS_PER_CALL);
    const outcome = await createSome(some).catch(toUnknown);
    created.push(...outcome.created);
    if (outcome.problem) return { ...outcome, created };
  }
  return { created };
}

/**
 * `DatabaseUnavailable` is thrown only before the order is sent, so no voucher exists. After any other error, vouchers
 * may exist.
 */
function toUnknown(error: unknown): Outcome {
  const text = error instanceof Error ? error.message : String(error);
  const isOpen = !(error instanceof DatabaseUnavailable);
  const failure = isOpen ? 'outcome-unknown' : 'unreachable';
  return { created: [], problem: { kind: 'creation-failed', failure, text }, isOpen };
}

/** Called after each order, so that no code is lost if the command is interrupted. */
function printCodes(created: CreatedVoucher[]): void {
  for (const { code } of created) print(formatCode(code));
}

function printAsJson(created: CreatedVoucher[]): void {
  printJson(
    created.map(({ code, siteName, maxUses, expireMinutes, endsAtS }) => ({
      code,
      formatted_code: formatCode(code),
      site: siteName,
      max_uses: maxUses,
      expire_minutes: expireMinutes,
      ends_at: secondsToTime(endsAtS ?? null),
    })),
  );
}

const OPTIONS: Record<OrderField, string> = {
  max_uses: 'uses',
  expire_minutes: 'duration',
  down: 'down',
  up: 'up',
  quota_mb: 'quota',
};

interface Missing extends Pick<Outcome, 'created' | 'isOpen'> {
  siteId: SiteId;
  count: number;
  hasEnd: boolean;
}

function toError(
  problem: CreationProblem | ReserveProblem,
  { siteId, count, hasEnd, created, isOpen }: Missing,
): Error {
  if (problem.kind === 'out-of-bounds') return new WrongUsage(sayBound(problem, hasEnd));
  const done = count === 1 ? 'no voucher was created' : `${created.length} of ${count} vouchers were created`;
  if (!isOpen) return new CommandFailed(`${done}: ${reasonOf(problem, siteId)}`);
  const unknown =
    count === 1 ? 'a voucher may have been created' : `${done}, and perhaps more that are not recorded yet`;
  return new CommandFailed(
    `${unknown}: ${reasonOf(problem, siteId)}`,
    'A running service finds and records such vouchers within two minutes. If no service runs, wait two minutes, then',
    `run gastpass sync --site ${siteId}. Look at gastpass vouchers list --site ${siteId} before you repeat the command.`,
  );
}

function sayBound({ field, min = 1, max }: OutOfBounds, hasEnd: boolean): string {
  if (hasEnd && field === 'expire_minutes')
    return `the end is too late: the controller of this site allows at most ${writeDuration(max)} from now`;
  const say = field === 'expire_minutes' ? writeDuration : String;
  return `--${OPTIONS[field]}: the controller of this site allows ${say(min)} to ${say(max)}`;
}

function reasonOf(problem: Exclude<CreationProblem | ReserveProblem, OutOfBounds>, siteId: SiteId): string {
  switch (problem.kind) {
    case 'name-wrong':
      return 'the name cannot be used';
    case 'reserve-off':
      return `the site keeps no reserve; keep one with gastpass sites set ${siteId} --reserve 20`;
    case 'reserve-empty':
      return 'the reserve is empty; a running service fills it up when the controller makes vouchers again';
    case 'site-not-found':
      return 'the site has just been deactivated';
    case 'no-valid-voucher':
      return 'the controller returned no valid voucher';
    case 'end-passed':
      return 'the end has passed';
    case 'instance-outdated':
      return sayOutdated(problem.outdated);
    case 'mail-not-set-up':
      return 'e-mail is not set up; see docs/e-mail.md';
    case 'printer-unknown':
      return 'the site has no such printer';
    case 'too-many-mails':
    case 'too-many-slips':
      return `too many ${problem.kind === 'too-many-mails' ? 'e-mails' : 'slips'} were ordered in the last hour, try again in ${Math.ceil(problem.retryAfterS / 60)} min`;
    case 'screen-limit':
      return 'the screen has no place left';
    case 'screen-gone':
      return 'the screen has been removed';
    case 'request-decided':
      return 'the request of the guest is decided already';
    case 'controller-busy':
      return `the controller is busy, try again in ${problem.retryAfterS} s`;
    case 'creation-failed':
      return toOneLine(problem.text);
    case 'idempotency-key-reused':
    case 'idempotency-key-ended':
    case 'idempotency-in-progress':
      return 'it was ordered before';
  }
}

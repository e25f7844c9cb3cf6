// `gastpass vouchers create`: creates one voucher, or several with the same name and limits, and prints the codes.

import type { Installation } from '../../app/installation.ts';
import { MAX_BATCH_SIZE } from '../../domain/batches/batch.ts';
import { MAX_VOUCHERS_PER_CALL, type VoucherLimits } from '../../domain/controller.ts';
import { DatabaseUnavailable } from '../../domain/database-unavailable.ts';
import type { SiteId } from '../../domain/ids.ts';
import { sayOutdated } from '../../domain/instances/known-since.ts';
import { toOneLine } from '../../domain/one-line.ts';
import type { CreationProblem, OrderField, OutOfBounds } from '../../domain/problem.ts';
import { isFor, type Profile } from '../../domain/profiles/profile.ts';
import type { CreateVouchers } from '../../domain/vouchers/create-vouchers.ts';
import { formatCode } from '../../domain/vouchers/voucher.ts';
import { findNameProblem, trimName } from '../../domain/vouchers/voucher-name.ts';
import {
  DEFAULT_EXPIRE_MINUTES,
  DEFAULT_MAX_USES,
  MAX_INTEGER,
  MAX_NAME_LENGTH,
} from '../../domain/vouchers/voucher-order.ts';
import type { CreatedVoucher } from '../../domain/vouchers/voucher-store.ts';
import { type Arguments, type Command, CommandFailed, texts, WrongUsage } from '../command.ts';
import { durationOption, writeDuration } from '../duration.ts';
import { print, printJson } from '../print.ts';
import { findSite, readSiteIdOption } from '../read-site-id.ts';
import { auditContext, withInstallation } from '../with-installation.ts';

const DEFAULTS: VoucherLimits = {
  maxUses: DEFAULT_MAX_USES,
  expireMinutes: DEFAULT_EXPIRE_MINUTES,
  downKbps: 0,
  upKbps: 0,
  quotaMb: 0,
};

export const create: Command = {
  name: 'vouchers create',
  summary: 'Create one voucher, or several with the same name and limits, and print the codes.',
  usage:
    '--site ID --name NAME [--profile PROFILE] [--duration TIME] [--uses N] [--down KBPS] [--up KBPS] [--quota MB] [--count N]',
  help: [
    `--duration is how long the voucher works after its first use: 90m, 8h, 3d or 2w. The default is ${writeDuration(DEFAULT_EXPIRE_MINUTES)}.`,
    `--uses is how many devices can use the voucher. The default is ${DEFAULT_MAX_USES}.`,
    '--down and --up limit the speed in kbit/s, --quota the data volume in MB. 0, the default, means unlimited.',
    '--profile takes these values from a profile, which you give by name or number. Other options take precedence.',
    `--count creates up to ${MAX_BATCH_SIZE} vouchers. If only some can be created, their codes are printed and the exit code is 1.`,
  ].join('\n'),
  options: texts('site', 'name', 'profile', 'duration', 'uses', 'down', 'up', 'quota', 'count'),
  prints: true,
  async run(args) {
    const siteId = readSiteIdOption(args.required('site'));
    const name = nameOption(args);
    const profileText = args.text('profile');
    const chosen = limitsOf(args);
    const count = args.count('count', MAX_BATCH_SIZE) ?? 1;
    await withInstallation(async (installation, { timeZone }) => {
      const site = await findSite(installation, siteId);
      if (!site.active)
        throw new CommandFailed(
          `${site.name} is inactive; activate it: gastpass sites set ${siteId} --active`,
        );
      const profile =
        profileText === undefined ? DEFAULTS : await findProfile(installation, siteId, profileText);
      const { maxUses, expireMinutes, downKbps, upKbps, quotaMb } = { ...profile, ...chosen };
      const order = { siteId, name, maxUses, expireMinutes, downKbps, upKbps, quotaMb };
      const { makeCreationUseCases } = await import('../../app/creation-use-cases.ts');
      const { createVouchers } = makeCreationUseCases(installation, { timeZone });
      const { actor } = auditContext(installation);
      const outcome = await createAll(count, async (some) => {
        const made = await createVouchers(order, some, { actor });
        if (!args.has('json')) printCodes(made.created);
        return made;
      });
      if (args.has('json')) printAsJson(outcome.created);
      if (outcome.problem) throw toError(outcome.problem, { siteId, count, ...outcome });
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

async function findProfile({ profiles }: Installation, siteId: SiteId, text: string): Promise<Profile> {
  const offered = (await profiles.list()).filter((profile) => isFor(profile, [siteId]));
  const named = offered.filter(({ name }) => name === text);
  const [found, ...others] = named.length > 0 ? named : offered.filter(({ id }) => String(id) === text);
  if (found && others.length === 0) return found;
  const list = offered.map(({ id, name }) => `${id} ${toOneLine(name)}`).join(', ');
  throw new CommandFailed(
    found
      ? `several profiles have this name: give the number of one of them (${list})`
      : `the site has no such profile; it has: ${list || 'none'}`,
  );
}

interface Outcome {
  created: CreatedVoucher[];
  problem?: CreationProblem;
  /** True if vouchers that are missing in `created` may exist on the controller. */
  isOpen?: boolean;
}

/** Calls the controller until all vouchers are created or a call fails. Always returns the vouchers of earlier calls. */
async function createAll(
  count: number,
  createSome: (count: number) => ReturnType<CreateVouchers>,
): Promise<Outcome> {
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
  return { created: [], problem: { kind: 'creation-failed', text }, isOpen };
}

/** Called after each order, so that no code is lost if the command is interrupted. */
function printCodes(created: CreatedVoucher[]): void {
  for (const { code } of created) print(formatCode(code));
}

function printAsJson(created: CreatedVoucher[]): void {
  printJson(
    created.map(({ code, siteName, maxUses, expireMinutes }) => ({
      code,
      formatted_code: formatCode(code),
      site: siteName,
      max_uses: maxUses,
      expire_minutes: expireMinutes,
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
}

function toError(problem: CreationProblem, { siteId, count, created, isOpen }: Missing): Error {
  if (problem.kind === 'out-of-bounds') return new WrongUsage(sayBound(problem));
  const done = count === 1 ? 'no voucher was created' : `${created.length} of ${count} vouchers were created`;
  if (!isOpen) return new CommandFailed(`${done}: ${reasonOf(problem)}`);
  const unknown =
    count === 1 ? 'a voucher may have been created' : `${done}, and perhaps more that are not recorded yet`;
  return new CommandFailed(
    `${unknown}: ${reasonOf(problem)}`,
    'A running service finds and records such vouchers within two minutes. If no service runs, wait two minutes, then',
    `run gastpass sync --site ${siteId}. Look at gastpass vouchers list --site ${siteId} before you repeat the command.`,
  );
}

function sayBound({ field, min = 1, max }: OutOfBounds): string {
  const say = field === 'expire_minutes' ? writeDuration : String;
  return `--${OPTIONS[field]}: the controller of this site allows ${say(min)} to ${say(max)}`;
}

function reasonOf(problem: Exclude<CreationProblem, OutOfBounds>): string {
  switch (problem.kind) {
    case 'site-not-found':
      return 'the site has just been deactivated';
    case 'no-valid-voucher':
      return 'the controller returned no valid voucher';
    case 'end-passed':
      return 'the end has passed';
    case 'instance-outdated':
      return sayOutdated(problem.outdated);
    case 'controller-busy':
      return `the controller is busy, try again in ${problem.retryAfterS} s`;
    case 'creation-failed':
      return toOneLine(problem.text);
    case 'idempotency-key-reused':
    case 'idempotency-in-progress':
      return 'it was ordered before';
  }
}

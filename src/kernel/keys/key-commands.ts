// `gastpass keys …`: issue, list, change and revoke API keys.

import {
  type Arguments,
  type Command,
  CommandFailed,
  type CommandTools,
  switches,
  texts,
  WrongUsage,
} from '../../platform/cli/command.ts';
import { print, printJson, printTable, sayKnown, toTime } from '../../platform/cli/print.ts';
import { systemClock } from '../../platform/time/clock.ts';
import { NOT_KNOWN_HERE, UNKNOWN } from '../../platform/values/unknown-value.ts';
import { auditContext } from '../command-tools.ts';
import { asKeyId, type KeyId } from '../ids.ts';
import type { Installation } from '../installation.ts';
import { findSite, readSiteIdOption } from '../sites/site-id-option.ts';
import { type ApiKey, type KeySites, keyIdOf, MAX_NOTE_LENGTH, MAX_RATE_LIMIT } from './api-key.ts';
import { lastDayOf, readLastDay } from './expiry.ts';

const SCOPES = ['read', 'write'] as const;
const noSuchKey = (id: string) => new CommandFailed(`there is no active key "${id}"; see gastpass keys list`);

const restrictionOptions = {
  ...texts('scope', 'rate-limit', 'expires', 'note'),
  site: { type: 'string', multiple: true },
  ...switches('all-sites'),
} as const;
const restrictionUsage =
  '[--rate-limit PER_MINUTE] [--site ID … | --all-sites] [--expires YYYY-MM-DD|never] [--note TEXT]';

/** Accepts the id of a key or the whole key, which contains the id. */
function keyIdFrom(args: Arguments): KeyId {
  const text = args.positional(0);
  return keyIdOf(text) ?? asKeyId(text);
}

/** Undefined if neither --site nor --all-sites is given. */
function sitesOption(args: Arguments): KeySites | undefined {
  const ids = args.list('site').map(readSiteIdOption);
  if (ids.length > 0 && args.has('all-sites'))
    throw new WrongUsage('--site and --all-sites exclude each other');
  if (args.has('all-sites')) return 'all';
  return ids.length > 0 ? [...new Set(ids)].sort((one, other) => one - other) : undefined;
}

/** Null for `never`, undefined if the option is not given. */
function expiryOption(args: Arguments, { configOrRefuse }: CommandTools): number | null | undefined {
  const text = args.text('expires');
  if (text === undefined) return undefined;
  if (text === 'never') return null;
  const lastDay = readLastDay(text, {
    timeZone: configOrRefuse().timeZone,
    nowMs: systemClock.nowMs(),
  });
  if (lastDay.ok) return lastDay.value;
  throw new WrongUsage(
    lastDay.problem === 'not-a-day'
      ? '--expires: expected a day such as 2027-12-31, or never'
      : '--expires: that day is over; to end a key now, use gastpass keys revoke',
  );
}

/** An empty text removes the note. */
function noteOption(args: Arguments): string | undefined {
  const note = args.rawText('note')?.trim();
  if (note === undefined) return undefined;
  if (/\p{Cc}/u.test(note)) throw new WrongUsage('--note: control characters are not allowed');
  if ([...note].length > MAX_NOTE_LENGTH)
    throw new WrongUsage(`--note: expected at most ${MAX_NOTE_LENGTH} characters`);
  return note;
}

function readRestrictions(args: Arguments, tools: CommandTools) {
  const rateLimit = args.integer('rate-limit', MAX_RATE_LIMIT);
  const sites = sitesOption(args);
  const expiresAtMs = expiryOption(args, tools);
  const note = noteOption(args);
  return {
    ...(rateLimit !== undefined && { rateLimit }),
    ...(sites !== undefined && { sites }),
    ...(expiresAtMs !== undefined && { expiresAtMs }),
    ...(note !== undefined && { note }),
  };
}

async function assertSitesExist(installation: Installation, sites: KeySites = 'all'): Promise<void> {
  if (sites !== 'all') for (const id of sites) await findSite(installation, id);
}

/** The parts of a key that both `keys create` and `keys list` print. */
function toRow(key: ApiKey & { note: string }, timeZone: string) {
  const { id, name, scope, rateLimit, sites, expiresAtMs, note } = key;
  return {
    id,
    name,
    scope: sayKnown(scope),
    rate_limit: rateLimit,
    sites,
    expires: expiresAtMs === null ? null : lastDayOf(expiresAtMs, timeZone),
    note,
  };
}

const create: Command = {
  name: 'keys create',
  summary: 'Issue an API key. It is printed only once and cannot be shown again.',
  usage: `--name NAME --scope read|write ${restrictionUsage}`,
  help: `write includes read. A rate limit of 0, the default, means unlimited. With --site, which can be repeated, the
key works only for these sites; the default is --all-sites. With --expires, the key works until the end of that day.`,
  options: { ...texts('name'), ...restrictionOptions },
  prints: true,
  async run(args, tools) {
    const name = args.requiredName();
    const scope = args.choice('scope', SCOPES);
    if (!scope) throw new WrongUsage('--scope is missing: read or write');
    const input = { name, scope, rateLimit: 0, ...readRestrictions(args, tools) };

    const { key, keyText, timeZone } = await tools.withInstallation(async (installation, config) => {
      await assertSitesExist(installation, input.sites);
      const made = await installation.issueKey(input, auditContext(installation));
      return { ...made, timeZone: config.timeZone };
    });
    if (args.has('json')) printJson({ ...toRow(key, timeZone), key: keyText });
    else print(keyText);
  },
};

const list: Command = {
  name: 'keys list',
  summary: 'List all API keys.',
  prints: true,
  async run(args, { withInstallation }) {
    const rows = await withInstallation(async ({ keys }, { timeZone }) =>
      (await keys.list()).map((key) => ({
        ...toRow(key, timeZone),
        created_at: toTime(key.createdAtMs),
        last_used_at: toTime(key.lastUsedAtMs),
        last_used_ip: key.lastUsedIp,
        revoked_at: toTime(key.revokedAtMs),
      })),
    );
    if (args.has('json')) printJson(rows);
    else
      printTable(
        rows.map((row) => ({ ...row, sites: row.sites === 'all' ? 'all' : row.sites.join(',') || 'none' })),
        'No keys yet. Issue one: gastpass keys create --name NAME --scope write',
      );
  },
};

const set: Command = {
  name: 'keys set',
  summary:
    'Change the scope, rate limit, sites, expiry date or note of a key. Takes effect with the next request.',
  usage: `<id> [--scope read|write] ${restrictionUsage}`,
  help: '--site replaces all sites of the key. --expires never removes the expiry date, --note "" the note.',
  options: restrictionOptions,
  positionals: ['id'],
  async run(args, tools) {
    const id = keyIdFrom(args);
    const scope = args.choice('scope', SCOPES);
    const change = { ...(scope && { scope }), ...readRestrictions(args, tools) };
    if (Object.keys(change).length === 0)
      throw new WrongUsage(
        'nothing to change: give --rate-limit, --scope, --site, --all-sites, --expires or --note',
      );

    const changed = await tools.withInstallation(async (installation) => {
      await assertSitesExist(installation, change.sites);
      const key = (await installation.keys.list()).find((one) => one.id === id);
      if (key?.scope === UNKNOWN)
        throw new CommandFailed(`key ${id} is ${NOT_KNOWN_HERE}, so it cannot be changed`);
      return installation.keys.change(id, change, auditContext(installation));
    });
    if (!changed) throw noSuchKey(id);
  },
};

const revoke: Command = {
  name: 'keys revoke',
  summary: 'Revoke a key for good. Takes effect with the next request.',
  usage: '<id>',
  positionals: ['id'],
  async run(args, { withInstallation }) {
    const id = keyIdFrom(args);
    const revoked = await withInstallation(({ keys, clock }) => keys.revoke(id, auditContext({ clock })));
    if (!revoked) throw noSuchKey(id);
  },
};

export const keyCommands = [create, list, set, revoke];

// `gastpass sites …`: add, list, change, test and remove sites.

import {
  prepareRequests,
  REQUESTS_HELP,
  REQUESTS_OPTIONS,
  REQUESTS_USAGE,
  readRequestsOptions,
} from '../../features/requests/site-requests-options.ts';
import {
  prepareReserve,
  RESERVE_HELP,
  RESERVE_OPTIONS,
  RESERVE_USAGE,
  readReserveOptions,
} from '../../features/reserve/site-reserve-options.ts';
import {
  type Arguments,
  type Command,
  CommandFailed,
  switches,
  texts,
  WrongUsage,
} from '../../platform/cli/command.ts';
import { print, printError, printJson, printTable, sayKnown, toTime } from '../../platform/cli/print.ts';
import { isMailAddress } from '../../platform/text/mail-address.ts';
import { sayCounted } from '../../platform/texts/counted.ts';
import { auditEn } from '../audit/audit-texts-en.ts';
import { auditContext } from '../command-tools.ts';
import { findKind } from '../controllers/controller-kind.ts';
import { KINDS } from '../controllers/kinds.ts';
import type { Installation } from '../installation.ts';
import { DEFAULT_CHECK_OUT, isTimeOfDay, isTimeZone } from '../vouchers/nights.ts';
import {
  CONNECTION_HELP,
  CONNECTION_OPTIONS,
  CONNECTION_USAGE,
  changeConnection,
  namesConnection,
  readConnection,
} from './connection-options.ts';
import { makeSaveSite } from './save-site.ts';
import { isUnconfirmed, type NewSite, type Site, type SiteChange } from './site.ts';
import { isEmpty, type SiteContents } from './site-contents.ts';
import { findSite, readSiteIdOption } from './site-id-option.ts';
import { PICTURE_HELP, PICTURE_USAGE, readPictureOption, setPicture } from './site-picture-command.ts';
import { syncStateOf } from './site-sync.ts';
import { whyFailed, whyNotSaved } from './why-not-saved-options.ts';

const KIND_NAMES = KINDS.map(({ name }) => name);
const DEFAULT_CONTROLLER_SITE = 'default';
const IMPORT_HELP =
  '--import says whether vouchers that others create on the controller are listed too; the default is on.';
const GUEST_PAGE_HELP =
  '--guest-page says whether staff can give guests a link to a page with their voucher; the default is off.';

const REPLY_TO_HELP =
  '--reply-to is the address that guests reply to; "default" is the sender of the e-mails.';

function importChoice(args: Arguments): { importsForeign?: boolean } {
  const choice = args.choice('import', ['on', 'off']);
  return choice === undefined ? {} : { importsForeign: choice === 'on' };
}

const NIGHTS_HELP = [
  `--check-out is the time of day at which vouchers for nights end; the default is ${DEFAULT_CHECK_OUT}.`,
  '--time-zone is the zone of this time, such as Europe/Berlin; "default" is the zone of the service (TZ).',
].join('\n');

function nightsChoice(args: Arguments): Pick<SiteChange, 'checkOut' | 'timeZone'> {
  const [checkOut, timeZone] = [args.text('check-out'), args.text('time-zone')];
  if (checkOut !== undefined && !isTimeOfDay(checkOut))
    throw new WrongUsage('--check-out: expected a time from 00:00 to 23:59, such as 11:00');
  if (timeZone !== undefined && timeZone !== 'default' && !isTimeZone(timeZone))
    throw new WrongUsage('--time-zone: expected a time zone such as Europe/Berlin, or default');
  return {
    ...(checkOut !== undefined && { checkOut }),
    ...(timeZone !== undefined && { timeZone: timeZone === 'default' ? null : timeZone }),
  };
}

function guestPageChoice(args: Arguments): { hasGuestPage?: boolean } {
  const choice = args.choice('guest-page', ['on', 'off']);
  return choice === undefined ? {} : { hasGuestPage: choice === 'on' };
}

function replyToChoice(args: Arguments): { replyTo?: string | null } {
  const address = args.text('reply-to');
  if (address === undefined) return {};
  if (address !== 'default' && !isMailAddress(address))
    throw new WrongUsage('--reply-to: expected an e-mail address of plain ASCII, or default');
  return { replyTo: address === 'default' ? null : address };
}

function warnIfInsecure(args: Arguments): void {
  if (args.has('insecure'))
    printError('gastpass: warning: the certificate of this controller is not verified');
}

const TEST_HELP =
  'Before the site is stored, a test voucher is created on the controller and deleted again; --untested skips this.';

const saveOptions = (args: Arguments, installation: Installation) => ({
  ...auditContext(installation),
  untested: args.has('untested'),
});

const add: Command = {
  name: 'sites add',
  summary: 'Add a site and print its id, the number used as site_id in requests.',
  usage: `--name NAME --controller ${KIND_NAMES.join('|')} [--site REF] ${CONNECTION_USAGE} [--import on|off] [--inactive] [--untested]`,
  help: [
    'REF is the name of the site on its controller; the default is "default".',
    CONNECTION_HELP,
    TEST_HELP,
    IMPORT_HELP,
    'On the simulator a REF of fail:refuse, fail:unreachable, fail:nothing, fail:no-code, fail:time-out,',
    'fail:lose-answer or fail:throw makes every voucher fail in that way, to try out how a client copes.',
  ].join('\n'),
  options: {
    ...texts('name', 'controller', 'site', 'import'),
    ...switches('inactive', 'untested'),
    ...CONNECTION_OPTIONS,
  },
  prints: true,
  async run(args, { withInstallation }) {
    const name = args.requiredName();
    const kind = findKind(KINDS, args.choice('controller', KIND_NAMES) ?? null);
    if (!kind) throw new WrongUsage(`--controller is missing: ${KIND_NAMES.join(', ')}`);
    const site: NewSite = {
      name,
      active: !args.has('inactive'),
      controllerKind: kind.name,
      controllerSite: args.text('site') ?? DEFAULT_CONTROLLER_SITE,
      connection: await readConnection(args, kind),
      ...importChoice(args),
    };
    const id = await withInstallation(async (installation) => {
      const saved = await makeSaveSite(installation).add(site, saveOptions(args, installation));
      if (!saved.ok) throw whyNotSaved(saved.problem);
      return saved.value;
    });
    warnIfInsecure(args);
    if (args.has('json')) printJson({ id });
    else print(String(id));
  },
};

const list: Command = {
  name: 'sites list',
  summary: 'List all sites.',
  prints: true,
  async run(args, { withInstallation }) {
    const rows = await withInstallation(async (installation, { syncIntervalS }) => {
      const { sites, syncs, reserves, clock } = installation;
      const known = await syncs.list();
      const reserveOf = new Map((await reserves.list()).map((reserve) => [reserve.siteId, reserve]));
      const all = await sites.list();
      const guests = new Map(await Promise.all(all.map((site) => readGuestSide(installation, site))));
      return all.map((site) => {
        const sync = known.get(site.id);
        const state = syncStateOf(sync, clock.nowMs(), syncIntervalS);
        return {
          id: site.id,
          name: site.name,
          active: site.active,
          controller: sayKnown(site.controllerKind),
          site: site.controllerSite,
          url: site.connection?.url ?? site.unreadUrl ?? null,
          certificate: site.connection?.trust.kind ?? null,
          import: site.importsForeign,
          check_out: site.checkOut,
          time_zone: site.timeZone,
          guest_page: site.hasGuestPage,
          reply_to: site.replyTo,
          reserve: reserveOf.get(site.id)?.wanted ?? 0,
          reserve_ready: reserveOf.get(site.id)?.ready ?? 0,
          reserve_profile: reserveOf.get(site.id)?.profileId ?? null,
          ...guests.get(site.id),
          sync: site.active ? state : 'off',
          synced_at: toTime(sync?.syncedAtMs ?? null),
          sync_error: state === 'failing' ? (sync?.error ?? null) : null,
        };
      });
    });
    if (args.has('json')) printJson(rows);
    else printTable(rows, 'No sites yet. Add one: gastpass sites add --name NAME --controller simulator');
  },
};

/** What the site shows to guests beyond its vouchers. */
async function readGuestSide({ guestRequests, images }: Installation, { id }: Site) {
  const page = await guestRequests.findPage(id);
  const picture = await images.has(`screen-${id}`);
  return [id, { requests: page !== undefined, requests_mail: page?.mailTo ?? null, picture }] as const;
}

const set: Command = {
  name: 'sites set',
  summary:
    'Rename a site, switch it on or off, or change its check-out, its reserve, its page for requests or how its controller is reached.',
  usage: `<id> [--name NAME] [--site REF] ${CONNECTION_USAGE} [--import on|off] [--check-out HH:MM] [--time-zone ZONE] [--guest-page on|off] [--reply-to ADDRESS] ${RESERVE_USAGE} ${REQUESTS_USAGE} ${PICTURE_USAGE} [--active | --inactive]`,
  help: [
    CONNECTION_HELP,
    `Another controller or site: ${TEST_HELP}`,
    IMPORT_HELP,
    NIGHTS_HELP,
    GUEST_PAGE_HELP,
    REPLY_TO_HELP,
    RESERVE_HELP,
    REQUESTS_HELP,
    PICTURE_HELP,
  ].join('\n'),
  options: {
    ...texts(
      'name',
      'site',
      'import',
      'check-out',
      'time-zone',
      'guest-page',
      'reply-to',
      ...RESERVE_OPTIONS,
      ...REQUESTS_OPTIONS,
      'picture-file',
    ),
    ...switches('active', 'inactive', 'untested', 'no-picture'),
    ...CONNECTION_OPTIONS,
  },
  positionals: ['id'],
  async run(args, { withInstallation }) {
    const id = readSiteIdOption(args.positional(0));
    const name = args.name();
    const controllerSite = args.text('site');
    const [active, inactive] = [args.has('active'), args.has('inactive')];
    if (active && inactive) throw new WrongUsage('--active and --inactive exclude each other');
    const change = {
      ...(name !== undefined && { name }),
      ...(controllerSite !== undefined && { controllerSite }),
      ...((active || inactive) && { active }),
      ...importChoice(args),
      ...nightsChoice(args),
      ...guestPageChoice(args),
      ...replyToChoice(args),
    };
    const reserve = readReserveOptions(args);
    const changesSite = Object.keys(change).length > 0 || namesConnection(args);
    const requests = readRequestsOptions(args);
    const picture = readPictureOption(args);
    if (!changesSite && !reserve && !requests && picture === undefined)
      throw new WrongUsage('nothing to change; see gastpass sites set --help');

    await withInstallation(async (installation) => {
      const site = await findSite(installation, id);
      // A site taken over from another tool is activated only with a confirmed certificate and after a test.
      const isConfirmed = namesConnection(args) || (active && isUnconfirmed(site));
      const connection = isConfirmed && { connection: await changeConnection(args, site) };
      const options = saveOptions(args, installation);
      const setReserve = reserve && (await prepareReserve(installation, site, reserve));
      const setRequests = requests && (await prepareRequests(installation, site, requests));
      if (changesSite) {
        const saved = await makeSaveSite(installation).change(site, { ...change, ...connection }, options);
        if (!saved.ok) throw whyNotSaved(saved.problem);
      }
      await setReserve?.();
      await setRequests?.();
      if (picture !== undefined) await setPicture(installation, site, picture);
    });
    warnIfInsecure(args);
  },
};

const test: Command = {
  name: 'sites test',
  summary: "Create a test voucher on a site's controller and delete it again.",
  usage: '<id>',
  positionals: ['id'],
  prints: true,
  async run(args, { withInstallation }) {
    const id = readSiteIdOption(args.positional(0));
    await withInstallation(async (installation) => {
      const site = await findSite(installation, id);
      const problem = isUnconfirmed(site)
        ? `nobody has confirmed its certificate yet. Test and activate the site with gastpass sites set ${id} --active`
        : await findTestProblem(installation, site);
      if (args.has('json')) printJson({ id, ok: !problem, ...(problem && { problem }) });
      if (problem) throw new CommandFailed(`${site.name}: ${problem}`);
      if (!args.has('json')) print(`${site.name}: works`);
    });
  },
};

async function findTestProblem(installation: Installation, site: Site): Promise<string | undefined> {
  const failed = await makeSaveSite(installation).test(site);
  return failed && whyFailed(failed);
}

const remove: Command = {
  name: 'sites remove',
  summary: 'Remove a demo, or a site that has never been used. It must be inactive.',
  usage: '<id> [--yes]',
  help: [
    'A site with vouchers, users or profiles can only be deactivated: sites set <id> --inactive.',
    'A demo (a site on the simulator) can be removed with its vouchers.',
    'If printers, screens, open requests or anything else would be deleted too, the command lists them and',
    'fails; with --yes it deletes them.',
  ].join('\n'),
  options: switches('yes'),
  positionals: ['id'],
  prints: true,
  async run(args, { withInstallation }) {
    const id = readSiteIdOption(args.positional(0));
    await withInstallation(async (installation) => {
      const { name, active } = await findSite(installation, id);
      const isAgreed = (contents: SiteContents) => args.has('yes') || isEmpty(contents);
      const removal = await installation.removeSite(id, isAgreed, auditContext(installation));
      if (removal.kind === 'refused')
        throw new CommandFailed(
          active
            ? `${name} is active; first deactivate it: gastpass sites set ${id} --inactive`
            : `${name} has vouchers, users or profiles; it can only be deactivated`,
        );
      const { contents } = removal;
      const lines = sayCounted(auditEn, contents, 'en');
      if (removal.kind === 'not-agreed')
        throw new CommandFailed(
          `${name} would be removed together with:`,
          ...lines.map((line) => `  ${line}`),
          `To remove all of it: gastpass sites remove ${id} --yes`,
        );
      if (args.has('json'))
        printJson({ id, vouchers: 0, batches: 0, ...contents.counts, names: contents.names });
      else if (lines.length > 0) print(`${name}: removed with ${lines.join(', ')}`);
    });
  },
};

export const siteCommands = [add, list, set, test, remove];

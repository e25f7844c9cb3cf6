// `gastpass screens …`: add, list, pair, unpair and remove screens.

import { asScreenId, type ScreenId } from '../../domain/ids.ts';
import type { ScreenIssues } from '../../domain/screens/add-screen.ts';
import {
  ASKED_FIELDS,
  DEFAULT_IDLE_MINUTES,
  DEFAULT_PER_DAY,
  DEFAULT_PER_MINUTE,
  MAX_IDLE_MINUTES,
  MAX_PER_DAY,
  MAX_PER_MINUTE,
  MAX_SCREEN_NAME_LENGTH,
  MAX_SCREEN_PROFILES,
  MAX_TERMS_LENGTH,
  ROLLING_PATH,
  SCREEN_KINDS,
  SCREEN_OFFERS,
  type Screen,
} from '../../domain/screens/screen.ts';
import { lastHeardMs, screenState } from '../../domain/screens/screen-state.ts';
import { type Arguments, type Command, CommandFailed, readNumber, texts, WrongUsage } from '../command.ts';
import { findProfile } from '../find-profile.ts';
import { originOf } from '../own-origin.ts';
import { print, printJson, printTable, sayKnown, toTime } from '../print.ts';
import { readSecretOption } from '../read-secret.ts';
import { readSiteIdOption } from '../read-site-id.ts';
import { auditContext, withInstallation } from '../with-installation.ts';

const screenIdFrom = (args: Arguments) => asScreenId(readNumber(args.positional(0), 'screen'));

const noSuchScreen = (id: ScreenId) =>
  new CommandFailed(`there is no screen ${id}; see gastpass screens list`);

const add: Command = {
  name: 'screens add',
  summary:
    'Add a screen to a site. Prints its id and pairing code and, for a rolling code, the token of its path.',
  usage: `--site ID --name NAME --kind ${SCREEN_KINDS.join('|')} [--profile PROFILE]… [--per-minute N] [--per-day N] [--offers ${SCREEN_OFFERS.join('|')}] [--ask ${ASKED_FIELDS.join(',')}] [--terms-file FILE] [--printer ID] [--idle MINUTES]`,
  help: [
    'kiosk: guests take a voucher themselves. rolling: the screen always shows one unused code.',
    'Open /screen of the service on the device, and type the pairing code there. It is valid for 10 minutes and once.',
    `--profile can be given several times for a kiosk, by name or number. The limits are ${DEFAULT_PER_MINUTE} vouchers per minute and ${DEFAULT_PER_DAY} per day,`,
    'unless set otherwise. --ask, --terms-file, --printer and --offers are for kiosks.',
    'The token of a rolling code is a secret: whoever has it can read the codes at /rolling/TOKEN.json, .txt, .svg and .png.',
    `Without a look for ${DEFAULT_IDLE_MINUTES} minutes, no new code is made; --idle sets another time. See docs/screens.md.`,
  ].join('\n'),
  options: {
    ...texts(
      'site',
      'name',
      'kind',
      'per-minute',
      'per-day',
      'offers',
      'ask',
      'terms-file',
      'printer',
      'idle',
    ),
    profile: { type: 'string', multiple: true },
  },
  prints: true,
  async run(args) {
    const siteId = readSiteIdOption(args.required('site'));
    const typed = {
      siteId,
      name: args.required('name'),
      kind: args.required('kind'),
      offers: args.text('offers'),
      asks: args
        .text('ask')
        ?.split(',')
        .map((field) => field.trim()),
      printerId: args.text('printer'),
      perMinute: args.text('per-minute'),
      perDay: args.text('per-day'),
      idleMinutes: args.text('idle'),
      terms: readSecretOption(args, 'terms-file'),
    };
    const { added, origin } = await withInstallation(async (installation, config) => {
      const { makeScreenUseCases } = await import('../../app/screen-use-cases.ts');
      if (!(await installation.sites.find(siteId))) throw toError({ site: 'not-found' });
      const profileIds: string[] = [];
      for (const text of args.list('profile'))
        profileIds.push(String((await findProfile(installation, siteId, text)).id));
      const { addScreen } = makeScreenUseCases(installation);
      const added = await addScreen({ ...typed, profileIds }, auditContext(installation));
      if (!added.ok) throw toError(added.problem);
      return { added: added.value, origin: await originOf(installation, config) };
    });
    const { id, pairingCode, pairingUntilMs, token } = added;
    if (args.has('json'))
      printJson({
        id,
        ...pairingJson(pairingCode, pairingUntilMs),
        ...(token !== null && { token, url: `${origin}${ROLLING_PATH}/${token}.json` }),
      });
    else print(String(id), pairingCode, ...(token === null ? [] : [token]));
  },
};

const pairingJson = (code: string, untilMs: number) => ({ pairing_code: code, expires_at: toTime(untilMs) });

function toError(issues: ScreenIssues): WrongUsage | CommandFailed {
  if (issues.site) return new CommandFailed('there is no such site; see gastpass sites list');
  const names = {
    missing: 'must not be empty',
    'too-long': `at most ${MAX_SCREEN_NAME_LENGTH} characters`,
    'not-plain': 'contains invisible characters',
  };
  const profiles = {
    'not-found': 'the site has no such profile',
    'too-many': `at most ${MAX_SCREEN_PROFILES} profiles`,
    'only-one': 'a rolling code has one profile',
    nights: 'a rolling code is made ahead, so its profile cannot be for nights',
  };
  const asks = {
    'not-known': `expected some of ${ASKED_FIELDS.join(',')}`,
    'not-used': 'only for --kind kiosk',
    'no-mail': 'e-mail is not set up, so no code could be sent; see docs/mail.md',
  };
  const lines = [
    issues.kind && `--kind: expected one of ${SCREEN_KINDS.join(', ')}`,
    issues.name && `--name: ${names[issues.name]}`,
    issues.offers &&
      `--offers: ${issues.offers === 'not-used' ? 'only for --kind kiosk' : `expected one of ${SCREEN_OFFERS.join(', ')}`}`,
    issues.profileIds && `--profile: ${profiles[issues.profileIds]}`,
    issues.asks && `--ask: ${asks[issues.asks]}`,
    issues.printerId &&
      `--printer: ${issues.printerId === 'not-used' ? 'only for --kind kiosk' : 'the site has no such printer; see gastpass printers list'}`,
    issues.perMinute && `--per-minute: expected a whole number from 1 to ${MAX_PER_MINUTE}`,
    issues.perDay && `--per-day: expected a whole number from 1 to ${MAX_PER_DAY}`,
    issues.idleMinutes && `--idle: expected a whole number from 1 to ${MAX_IDLE_MINUTES}`,
    issues.terms &&
      `--terms-file: ${{ 'too-long': `at most ${MAX_TERMS_LENGTH} characters`, 'not-plain': 'contains characters that cannot be stored', 'not-used': 'only for --kind kiosk' }[issues.terms]}`,
  ];
  return new WrongUsage(...lines.filter((line) => line !== undefined));
}

const list: Command = {
  name: 'screens list',
  summary: 'List all screens, their limits and when their devices were last heard of.',
  prints: true,
  async run(args) {
    const rows = await withInstallation(async ({ screens, clock }) =>
      (await screens.list()).map((screen) => toRow(screen, clock.nowMs())),
    );
    if (args.has('json')) printJson(rows);
    else
      printTable(
        rows.map((row) => ({ ...row, profiles: row.profiles.join(','), asks: row.asks.join(',') })),
        'No screens yet. Add one: gastpass screens add --site ID --name NAME --kind KIND',
      );
  },
};

function toRow(screen: Screen, nowMs: number) {
  return {
    id: screen.id,
    site: screen.siteId,
    name: screen.name,
    kind: sayKnown(screen.kind),
    offers: sayKnown(screen.offers),
    profiles: screen.profileIds,
    asks: screen.asks,
    printer: screen.printerId,
    per_minute: screen.perMinute,
    per_day: screen.perDay,
    idle_minutes: screen.idleMinutes,
    state: screenState(screen, nowMs),
    paired_at: toTime(screen.pairedAtMs),
    seen_at: toTime(lastHeardMs(screen)),
    seen_ip: screen.seenIp,
  };
}

const pair: Command = {
  name: 'screens pair',
  summary: 'Print a new pairing code. The device that is paired now works until the code is used.',
  usage: '<id>',
  positionals: ['id'],
  prints: true,
  async run(args) {
    const id = screenIdFrom(args);
    const made = await withInstallation(async (installation) => {
      const { makeScreenUseCases } = await import('../../app/screen-use-cases.ts');
      return makeScreenUseCases(installation).renewPairing(id, auditContext(installation));
    });
    if (!made) throw noSuchScreen(id);
    if (args.has('json')) printJson({ id, ...pairingJson(made.pairingCode, made.pairingUntilMs) });
    else print(made.pairingCode);
  },
};

const unpair: Command = {
  name: 'screens unpair',
  summary: 'End the pairing of a screen: its device and its pairing code are refused from now on.',
  usage: '<id>',
  positionals: ['id'],
  async run(args) {
    const id = screenIdFrom(args);
    await withInstallation(async ({ screens, clock }) => {
      if (!(await screens.find(id))) throw noSuchScreen(id);
      await screens.unpair(id, auditContext({ clock }));
    });
  },
};

const remove: Command = {
  name: 'screens remove',
  summary: 'Remove a screen. Its device is refused from now on; vouchers that it gave out stay valid.',
  usage: '<id>',
  positionals: ['id'],
  async run(args) {
    const id = screenIdFrom(args);
    const removed = await withInstallation(({ screens, clock }) =>
      screens.remove(id, auditContext({ clock })),
    );
    if (!removed) throw noSuchScreen(id);
  },
};

export const screenCommands = [add, list, pair, unpair, remove];

// `gastpass screens …`: add, list, show, change, pair, unpair and remove screens.

import { auditContext } from '../../kernel/command-tools.ts';
import type { Installation } from '../../kernel/installation.ts';
import { readSiteIdOption } from '../../kernel/sites/site-id-option.ts';
import { formatCode } from '../../kernel/vouchers/voucher.ts';
import { type Command, switches, texts, WrongUsage } from '../../platform/cli/command.ts';
import { originOf } from '../../platform/cli/own-origin.ts';
import { print, printFacts, printJson, printTable, sayKnown, toTime } from '../../platform/cli/print.ts';
import { toRollingUrl } from './rolling-url.ts';
import {
  DEFAULT_IDLE_MINUTES,
  DEFAULT_PER_DAY,
  DEFAULT_PER_MINUTE,
  SCREEN_KINDS,
  type Screen,
} from './screen.ts';
import { findScreen, noSuchScreen, screenIdFrom } from './screen-option.ts';
import {
  readScreenProfiles,
  readScreenSettings,
  SCREEN_OPTIONS,
  SCREEN_USAGE,
  toScreenError,
} from './screen-options.ts';
import { lastHeardMs, screenState } from './screen-state.ts';

const add: Command = {
  name: 'screens add',
  summary:
    'Add a screen to a site. Prints its id and pairing code and, for a rolling code, the token of its path.',
  usage: `--site ID --name NAME --kind ${SCREEN_KINDS.join('|')} ${SCREEN_USAGE}`,
  help: [
    'kiosk: guests take a voucher themselves. rolling: the screen always shows one unused code.',
    'Open /screen of the service on the device, and type the pairing code there. It is valid for 10 minutes and once.',
    `--profile can be given several times for a kiosk, by name or number. The limits are ${DEFAULT_PER_MINUTE} vouchers per minute and ${DEFAULT_PER_DAY} per day,`,
    'unless set otherwise. --ask, --terms-file, --printer and --offers are for kiosks.',
    'The token of a rolling code is a secret: whoever has it can read the codes at /rolling/TOKEN.json, .txt, .svg and .png.',
    `Without a look for ${DEFAULT_IDLE_MINUTES} minutes, no new code is made; --idle sets another time. See docs/screens.md.`,
  ].join('\n'),
  options: { ...texts('site', 'kind'), ...SCREEN_OPTIONS },
  prints: true,
  async run(args, { withInstallation }) {
    const siteId = readSiteIdOption(args.required('site'));
    args.requiredName();
    const typed = { siteId, kind: args.required('kind'), ...readScreenSettings(args) };
    const { added, origin } = await withInstallation(async (installation, config) => {
      if (!(await installation.sites.find(siteId))) throw toScreenError({ site: 'not-found' });
      const profileIds = await readScreenProfiles(args, installation, siteId);
      const { addScreen } = await useCasesOf(installation);
      const added = await addScreen({ ...typed, profileIds }, auditContext(installation));
      if (!added.ok) throw toScreenError(added.problem);
      return { added: added.value, origin: await originOf(installation, config) };
    });
    const { id, pairingCode, pairingUntilMs, token } = added;
    if (args.has('json'))
      printJson({
        id,
        ...pairingJson(pairingCode, pairingUntilMs),
        ...(token !== null && { token, url: toRollingUrl(origin, token) }),
      });
    else print(String(id), pairingCode, ...(token === null ? [] : [token]));
  },
};

const pairingJson = (code: string, untilMs: number) => ({ pairing_code: code, expires_at: toTime(untilMs) });

const list: Command = {
  name: 'screens list',
  summary: 'List all screens, their limits and when their devices were last heard from.',
  prints: true,
  async run(args, { withInstallation }) {
    const rows = await withInstallation(async ({ screens, clock }) => {
      const all = await screens.list();
      const counts = await screens.countVouchers(all.map(({ id }) => id));
      return all.map((screen) =>
        toRow(screen, { nowMs: clock.nowMs(), lastDay: counts.get(screen.id) ?? 0 }),
      );
    });
    if (args.has('json')) printJson(rows);
    else
      printTable(
        rows.map(toShown),
        'No screens yet. Add one: gastpass screens add --site ID --name NAME --kind KIND',
      );
  },
};

/** `lastDay`: the vouchers of the last 24 hours. */
function toRow(screen: Screen, { nowMs, lastDay }: { nowMs: number; lastDay: number }) {
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
    last_day: lastDay,
    idle_minutes: screen.idleMinutes,
    state: screenState(screen, nowMs),
    paired_at: toTime(screen.pairedAtMs),
    seen_at: toTime(lastHeardMs(screen)),
    seen_ip: screen.seenIp,
  };
}

const toShown = <Row extends { profiles: unknown[]; asks: unknown[] }>(row: Row) => ({
  ...row,
  profiles: row.profiles.join(','),
  asks: row.asks.join(','),
});

const show: Command = {
  name: 'screens show',
  summary: 'Show one screen: its settings, its device, and the code that a rolling code shows.',
  usage: '<id>',
  help: 'last_day is how many vouchers the screen has handed out in the last 24 hours.',
  positionals: ['id'],
  prints: true,
  async run(args, { withInstallation }) {
    const { screen, voucher, ...found } = await withInstallation(async (installation) => {
      const { screens, slips, clock } = installation;
      const screen = await findScreen(installation, args);
      const { id, siteId, voucherId, termsId } = screen;
      const shown = { ids: voucherId === null ? [] : [voucherId], siteIds: [siteId] };
      return {
        screen,
        lastDay: (await screens.countVouchers([id])).get(id) ?? 0,
        terms: termsId === null ? undefined : await screens.findTerms(termsId),
        voucher: (await slips.findVouchers(shown))[0],
        nowMs: clock.nowMs(),
      };
    });
    const row = {
      ...toRow(screen, found),
      seen_agent: screen.seenAgent,
      pairing_until: toTime(screen.pairingUntilMs),
      looked_at: toTime(screen.lookedAtMs),
      code: voucher?.code ?? null,
      formatted_code: voucher ? formatCode(voucher.code) : null,
      shown_at: voucher ? toTime(screen.shownAtMs) : null,
      terms_version: found.terms?.version ?? null,
    };
    if (args.has('json')) printJson(row);
    else printFacts(toShown(row));
  },
};

const set: Command = {
  name: 'screens set',
  summary: 'Change the settings of a screen. Its device stays paired and follows at once.',
  usage: `<id> [--name NAME] ${SCREEN_USAGE} [--no-terms]`,
  help: [
    'What is not given stays as it is. --profile replaces all profiles of the screen; "default" is one device for 8 hours.',
    '--ask none asks guests for nothing, --printer none prints nothing, and --no-terms asks nobody to accept terms.',
    'A new text of --terms-file becomes a new version; see gastpass screens terms.',
  ].join('\n'),
  options: { ...SCREEN_OPTIONS, ...switches('no-terms') },
  positionals: ['id'],
  async run(args, { withInstallation }) {
    const hasNoTerms = args.has('no-terms');
    if (hasNoTerms && args.has('terms-file'))
      throw new WrongUsage('--terms-file and --no-terms exclude each other');
    const typed = { ...readScreenSettings(args), ...(hasNoTerms && { terms: '' }) };
    const isChanged = Object.values(typed).some((value) => value !== undefined);
    if (!isChanged && !args.has('profile'))
      throw new WrongUsage('nothing to change; see gastpass screens set --help');
    await withInstallation(async (installation) => {
      const screen = await findScreen(installation, args);
      const profileIds = await readScreenProfiles(args, installation, screen.siteId);
      const { changeScreen } = await useCasesOf(installation);
      const changed = await changeScreen(screen, { ...typed, profileIds }, auditContext(installation));
      if (!changed.ok) throw toScreenError(changed.problem);
    });
  },
};

const pair: Command = {
  name: 'screens pair',
  summary: 'Print a new pairing code. The device that is paired now works until the code is used.',
  usage: '<id>',
  positionals: ['id'],
  prints: true,
  async run(args, { withInstallation }) {
    const id = screenIdFrom(args);
    const made = await withInstallation(async (installation) =>
      (await useCasesOf(installation)).renewPairing(id, auditContext(installation)),
    );
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
  async run(args, { withInstallation }) {
    await withInstallation(async (installation) => {
      const { id } = await findScreen(installation, args);
      await installation.screens.unpair(id, auditContext(installation));
    });
  },
};

const remove: Command = {
  name: 'screens remove',
  summary: 'Remove a screen. Its device is refused from now on; vouchers that it gave out stay valid.',
  usage: '<id>',
  positionals: ['id'],
  async run(args, { withInstallation }) {
    const id = screenIdFrom(args);
    const removed = await withInstallation(({ screens, clock }) =>
      screens.remove(id, auditContext({ clock })),
    );
    if (!removed) throw noSuchScreen(id);
  },
};

export const screenCommands = [add, list, show, set, pair, unpair, remove];

async function useCasesOf(installation: Installation) {
  const { makeScreenUseCases } = await import('./screen-use-cases.ts');
  return makeScreenUseCases(installation);
}

// The settings of screens on the command line: the options that `gastpass screens add` and `screens set` share, and the
// error texts for values that cannot be used.

import type { SiteId } from '../../kernel/ids.ts';
import type { Installation } from '../../kernel/installation.ts';
import { findProfile } from '../../kernel/profiles/profile-option.ts';
import { type Arguments, CommandFailed, texts, WrongUsage } from '../../platform/cli/command.ts';
import { readSecretOption } from '../../platform/cli/read-secret.ts';
import type { ScreenIssues, TypedScreenSettings } from './add-screen.ts';
import {
  ASKED_FIELDS,
  MAX_IDLE_MINUTES,
  MAX_PER_DAY,
  MAX_PER_MINUTE,
  MAX_SCREEN_NAME_LENGTH,
  MAX_SCREEN_PROFILES,
  MAX_TERMS_LENGTH,
  SCREEN_KINDS,
  SCREEN_OFFERS,
} from './screen.ts';

export const SCREEN_USAGE = `[--profile PROFILE]… [--per-minute N] [--per-day N] [--offers ${SCREEN_OFFERS.join('|')}] [--ask ${ASKED_FIELDS.join(',')}] [--terms-file FILE] [--printer ID] [--idle MINUTES]`;

export const SCREEN_OPTIONS = {
  ...texts('name', 'per-minute', 'per-day', 'offers', 'ask', 'terms-file', 'printer', 'idle'),
  profile: { type: 'string', multiple: true },
} as const;

/** The values that undo a choice. */
const DEFAULT_PROFILE = 'default';
const NONE = 'none';

/** The settings in the options, except the profiles, which are looked up in the database. */
export function readScreenSettings(args: Arguments): TypedScreenSettings {
  const [asks, printer] = [args.text('ask'), args.text('printer')];
  return {
    name: args.name(),
    offers: args.text('offers'),
    asks: asks === NONE ? [] : asks?.split(',').map((field) => field.trim()),
    printerId: printer === NONE ? '' : printer,
    perMinute: args.text('per-minute'),
    perDay: args.text('per-day'),
    idleMinutes: args.text('idle'),
    terms: readSecretOption(args, 'terms-file'),
  };
}

/** Undefined if no profile is given. */
export async function readScreenProfiles(
  args: Arguments,
  installation: Installation,
  siteId: SiteId,
): Promise<string[] | undefined> {
  const given = args.list('profile');
  if (given.length === 0) return undefined;
  if (given.length === 1 && given[0] === DEFAULT_PROFILE) return [];
  const ids: string[] = [];
  for (const text of given) ids.push(String((await findProfile(installation, siteId, text)).id));
  return ids;
}

const ONLY_KIOSK = 'only for a kiosk';

export function toScreenError(issues: ScreenIssues): WrongUsage | CommandFailed {
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
    'not-used': ONLY_KIOSK,
    'no-mail': 'e-mail is not set up, so no code could be sent; see docs/e-mail.md',
  };
  const terms = {
    'too-long': `at most ${MAX_TERMS_LENGTH} characters`,
    'not-plain': 'contains characters that cannot be stored',
    'not-used': ONLY_KIOSK,
  };
  const lines = [
    issues.kind && `--kind: expected one of ${SCREEN_KINDS.join(', ')}`,
    issues.name && `--name: ${names[issues.name]}`,
    issues.offers &&
      `--offers: ${issues.offers === 'not-used' ? ONLY_KIOSK : `expected one of ${SCREEN_OFFERS.join(', ')}`}`,
    issues.profileIds && `--profile: ${profiles[issues.profileIds]}`,
    issues.asks && `--ask: ${asks[issues.asks]}`,
    issues.printerId &&
      `--printer: ${issues.printerId === 'not-used' ? ONLY_KIOSK : 'the site has no such printer; see gastpass printers list'}`,
    issues.perMinute && `--per-minute: expected a whole number from 1 to ${MAX_PER_MINUTE}`,
    issues.perDay && `--per-day: expected a whole number from 1 to ${MAX_PER_DAY}`,
    issues.idleMinutes && `--idle: expected a whole number from 1 to ${MAX_IDLE_MINUTES}`,
    issues.terms && `--terms-file: ${terms[issues.terms]}`,
  ];
  return new WrongUsage(...lines.filter((line) => line !== undefined));
}

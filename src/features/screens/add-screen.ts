// Adds a screen or changes its settings, after checking every value that was typed.

import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import { asPrinterId, asProfileId, type PrinterId, type ScreenId, type SiteId } from '../../kernel/ids.ts';
import { isFor, type ProfileStore } from '../../kernel/profiles/profile.ts';
import type { SiteStore } from '../../kernel/sites/site.ts';
import { makePathToken } from '../../platform/secrets/token.ts';
import { hasInvisible } from '../../platform/text/invisible.ts';
import { isStorable } from '../../platform/text/storable-text.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import { UNKNOWN } from '../../platform/values/unknown-value.ts';
import type { MailServerStore } from '../mail/mail-server.ts';
import type { PrinterStore } from '../printers/printer.ts';
import { makePairingCode } from './pairing-code.ts';
import {
  ASKED_FIELDS,
  type AskedField,
  DEFAULT_SCREEN,
  MAX_IDLE_MINUTES,
  MAX_PER_DAY,
  MAX_PER_MINUTE,
  MAX_SCREEN_NAME_LENGTH,
  MAX_SCREEN_PROFILES,
  MAX_TERMS_LENGTH,
  SCREEN_KINDS,
  SCREEN_OFFERS,
  type Screen,
  type ScreenKind,
  type ScreenSettings,
  type ScreenStore,
} from './screen.ts';

/** The settings as they were typed. A new screen gets defaults for absent settings; an existing one keeps its own. */
export interface TypedScreenSettings {
  name?: string | undefined;
  offers?: string | undefined;
  /** The ids of profiles. With an empty list, the screen offers one voucher with the default limits. */
  profileIds?: string[] | undefined;
  asks?: string[] | undefined;
  /** The id of a printer; empty for no printer. */
  printerId?: string | undefined;
  perMinute?: string | undefined;
  perDay?: string | undefined;
  idleMinutes?: string | undefined;
  /** The text of the terms; empty for no terms. */
  terms?: string | undefined;
}

export interface TypedScreen extends TypedScreenSettings {
  siteId: SiteId;
  kind: string;
}

/** The values that cannot be used, each with the reason. `not-used`: screens of this kind have no such setting. */
export interface ScreenIssues {
  site?: 'not-found';
  kind?: 'not-known';
  name?: 'missing' | 'too-long' | 'not-plain';
  offers?: 'not-known' | 'not-used';
  /**
   * `not-found`: there is no such profile for this site. `only-one`: a rolling code has one. `nights`: a rolling code
   * is made ahead, so its end cannot depend on the day of arrival.
   */
  profileIds?: 'not-found' | 'too-many' | 'only-one' | 'nights';
  /** `no-mail`: e-mail is not set up, so nothing could be sent. */
  asks?: 'not-known' | 'not-used' | 'no-mail';
  printerId?: 'not-found' | 'not-used';
  perMinute?: 'out-of-range';
  perDay?: 'out-of-range';
  idleMinutes?: 'out-of-range';
  terms?: 'too-long' | 'not-plain' | 'not-used';
}

export interface NewScreenSecrets {
  id: ScreenId;
  /** Shown once. */
  pairingCode: string;
  pairingUntilMs: number;
  /** The token of the path of a rolling code; null for other kinds. */
  token: string | null;
}

export type AddScreen = (
  typed: TypedScreen,
  by: AuditContext,
) => Promise<Result<NewScreenSecrets, ScreenIssues>>;

export type ChangeScreen = (
  screen: Screen,
  typed: TypedScreenSettings,
  by: AuditContext,
) => Promise<Result<undefined, ScreenIssues>>;

interface Deps {
  screens: Pick<ScreenStore, 'add' | 'update' | 'setTerms'>;
  sites: Pick<SiteStore, 'find'>;
  profiles: Pick<ProfileStore, 'list'>;
  printers: Pick<PrinterStore, 'find'>;
  mailServer: Pick<MailServerStore, 'find'>;
}

export function makeAddScreen(deps: Deps): AddScreen {
  return async function addScreen({ siteId, kind: typedKind, ...typed }, by) {
    const kind = SCREEN_KINDS.find((known) => known === typedKind);
    const named = { ...typed, name: typed.name ?? '' };
    const { settings, terms = null, issues } = await readSettings(named, { siteId, kind }, deps);
    if (kind === undefined) issues.kind = 'not-known';
    if (!(await deps.sites.find(siteId))) issues.site = 'not-found';
    if (kind === undefined || Object.keys(issues).length > 0) return fail(issues);
    const { code: pairingCode, pairingHash } = makePairingCode();
    const token = kind === 'rolling' ? makePathToken() : null;
    const screen = { ...DEFAULT_SCREEN, ...settings, siteId, kind, terms };
    const added = await deps.screens.add(screen, { pairingHash, token }, by);
    return ok({ ...added, pairingCode, token: token?.token ?? null });
  };
}

export function makeChangeScreen(deps: Deps): ChangeScreen {
  return async function changeScreen({ id, siteId, kind }, typed, by) {
    const known = kind === UNKNOWN ? undefined : kind;
    const { settings, terms, issues } = await readSettings(typed, { siteId, kind: known }, deps);
    if (Object.keys(issues).length > 0) return fail(issues);
    if (Object.keys(settings).length > 0) await deps.screens.update(id, settings, by);
    if (terms !== undefined) await deps.screens.setTerms(id, terms, by);
    return ok(undefined);
  };
}

type KnownSettings = ScreenSettings & { offers: (typeof SCREEN_OFFERS)[number] };
type Checked = Pick<Deps, 'profiles' | 'printers' | 'mailServer'>;

/** The settings that were typed and can be used, and the issues of the others. */
async function readSettings(
  typed: TypedScreenSettings,
  { siteId, kind }: { siteId: SiteId; kind: ScreenKind | undefined },
  { profiles, printers, mailServer }: Checked,
) {
  const settings: Partial<KnownSettings> = {};
  const issues: ScreenIssues = {};
  const isRolling = kind === 'rolling';
  if (typed.name !== undefined) readName(typed.name);
  if (typed.offers) readOffers(typed.offers);
  if (typed.profileIds) await readProfiles([...new Set(typed.profileIds)]);
  if (typed.asks) await readAsks(typed.asks);
  if (typed.printerId !== undefined) await readPrinter(typed.printerId.trim());
  readCount('perMinute', MAX_PER_MINUTE);
  readCount('perDay', MAX_PER_DAY);
  readCount('idleMinutes', MAX_IDLE_MINUTES);
  const terms = typed.terms === undefined ? undefined : readTerms(typed.terms);
  return { settings, terms, issues };

  function readName(text: string) {
    const name = text.trim();
    if (name === '') issues.name = 'missing';
    else if (hasInvisible(name)) issues.name = 'not-plain';
    else if ([...name].length > MAX_SCREEN_NAME_LENGTH) issues.name = 'too-long';
    else settings.name = name;
  }

  function readOffers(text: string) {
    const offers = SCREEN_OFFERS.find((known) => known === text);
    if (offers === undefined) issues.offers = 'not-known';
    else if (isRolling && offers !== 'vouchers') issues.offers = 'not-used';
    else settings.offers = offers;
  }

  async function readProfiles(ids: string[]) {
    const all = await profiles.list();
    const chosen = ids.map((text) =>
      all.find((profile) => String(profile.id) === text && isFor(profile, [siteId])),
    );
    if (chosen.some((profile) => profile === undefined)) issues.profileIds = 'not-found';
    else if (isRolling && ids.length > 1) issues.profileIds = 'only-one';
    else if (isRolling && chosen.some((profile) => profile?.nights !== undefined))
      issues.profileIds = 'nights';
    else if (ids.length > MAX_SCREEN_PROFILES) issues.profileIds = 'too-many';
    else settings.profileIds = ids.map((text) => asProfileId(Number(text)));
  }

  async function readAsks(texts: string[]) {
    const isKnown = (text: string): text is AskedField => ASKED_FIELDS.some((known) => known === text);
    if (!texts.every(isKnown)) issues.asks = 'not-known';
    else if (isRolling && texts.length > 0) issues.asks = 'not-used';
    else if (texts.includes('email') && !(await mailServer.find())) issues.asks = 'no-mail';
    else settings.asks = ASKED_FIELDS.filter((field) => texts.includes(field));
  }

  async function readPrinter(text: string) {
    const id: PrinterId | null = text === '' ? null : asPrinterId(/^\d{1,9}$/.test(text) ? Number(text) : 0);
    if (isRolling && id !== null) issues.printerId = 'not-used';
    else if (id !== null && (await printers.find(id))?.siteId !== siteId) issues.printerId = 'not-found';
    else settings.printerId = id;
  }

  function readCount(field: 'perMinute' | 'perDay' | 'idleMinutes', max: number) {
    const text = typed[field]?.trim();
    if (text === undefined) return;
    const count = /^\d{1,5}$/.test(text) ? Number(text) : 0;
    if (count < 1 || count > max) issues[field] = 'out-of-range';
    else settings[field] = count;
  }

  /** Control characters other than line breaks and tabs are removed: texts that are pasted may contain them. */
  function readTerms(typedTerms: string): string | null {
    const text = typedTerms
      .replace(/\r\n?/g, '\n')
      .replace(/[^\P{Cc}\n\t]/gu, '')
      .trim();
    if (text === '') return null;
    if (isRolling) issues.terms = 'not-used';
    else if (text.length > MAX_TERMS_LENGTH) issues.terms = 'too-long';
    else if (!isStorable(text)) issues.terms = 'not-plain';
    return text;
  }
}

// A rolling code: a screen that always shows one unused voucher. The next one comes from the stock when somebody looks
// and the shown voucher was used or revoked, or is a day old. So no look waits for the controller.

import type { VoucherLimits } from '../../kernel/controllers/controller.ts';
import type { ProfileId, ScreenId, SiteId, VoucherId } from '../../kernel/ids.ts';
import { isFailing, type SyncStore } from '../../kernel/sites/site-sync.ts';
import { zoneOf } from '../../kernel/vouchers/nights.ts';
import type { Voucher } from '../../kernel/vouchers/voucher.ts';
import { stateOf } from '../../kernel/vouchers/voucher-state.ts';
import { makeFreshRead } from '../../platform/concurrency/fresh-read.ts';
import type { Log } from '../../platform/log/log.ts';
import { calendarDate } from '../../platform/time/calendar-date.ts';
import { type Clock, toWholeSeconds } from '../../platform/time/clock.ts';
import { SHOWN_MS } from './screen.ts';

/** `preparing`: a voucher is being made. `none`: there is no voucher, and none is being made. */
export const ROLLING_STATES = ['ready', 'preparing', 'none'] as const;
export type RollingState = (typeof ROLLING_STATES)[number];

/** A look is stored at most once in this time. */
export const LOOK_EVERY_MS = 60_000;
/** All looks within this time share what was read about the syncs. */
const SYNCS_FRESH_MS = 1_000;

export interface ShownVoucher extends Voucher, VoucherLimits {
  id: VoucherId;
  revokedAtS: number | null;
}

/** A screen with a rolling code, its site, and the voucher that it shows. */
export interface RollingScreen {
  id: ScreenId;
  name: string;
  siteId: SiteId;
  siteName: string;
  siteTimeZone: string | null;
  isSiteActive: boolean;
  /** Whether the site belongs to the built-in simulator: its codes open no Wi-Fi. */
  isDemo: boolean;
  profileIds: ProfileId[];
  idleMinutes: number;
  lookedAtMs: number | null;
  /** Null before the first code, and after the record of the voucher was deleted. */
  shown: ShownVoucher | null;
  shownAtMs: number | null;
  /** The time by the store's clock, to which all other times are compared. */
  nowMs: number;
}

export interface RollingStore {
  find(id: ScreenId): Promise<RollingScreen | undefined>;
  findByToken(tokenHash: string): Promise<RollingScreen | undefined>;
  /** The hashes of all paths. */
  listTokenHashes(): Promise<Set<string>>;
  /** Does nothing if a look was stored within LOOK_EVERY_MS. */
  noteLook(id: ScreenId): Promise<void>;
  /**
   * Hands out the next voucher of the stock and shows it, in one transaction. The voucher that was shown before is
   * revoked later if nobody uses it. If another instance has replaced it meanwhile, nothing is handed out. `limit`: the
   * screen has handed out as many vouchers as it may in a day. `empty`: the stock has none.
   */
  showNext(screen: RollingScreen, storedName: string): Promise<RollingScreen | 'limit' | 'empty' | 'gone'>;
  /** Takes day-old codes off screens that nobody looks at any more. Returns the number of these codes. */
  takeOffUnseen(trustedMs: number): Promise<number>;
}

/** What a display gets when it looks at the rolling code. */
export interface RollingLook {
  screen: RollingScreen;
  state: RollingState;
  /** Set if the state is `ready`. */
  voucher: ShownVoucher | undefined;
}

export type LookAtRollingCode = (screen: RollingScreen) => Promise<RollingLook>;

interface Deps {
  rolling: Pick<RollingStore, 'noteLook' | 'showNext'>;
  syncs: Pick<SyncStore, 'list'>;
  /** Makes the stock look at once whether a voucher is missing. */
  pokeStock: () => void;
  timeZone: string;
  clock: Clock;
  log: Log;
}

export function makeLookAtRollingCode(deps: Deps): LookAtRollingCode {
  const { rolling, syncs, pokeStock, timeZone, clock, log } = deps;
  const readSyncs = makeFreshRead({ clock, freshMs: SYNCS_FRESH_MS }, syncs.list);

  return async function lookAtRollingCode(screen) {
    if (!screen.isSiteActive) return { screen, state: 'none', voucher: undefined };
    if (isLookDue(screen)) await noteLook(screen);
    if (!isNextDue(screen)) return showing(screen);
    const day = calendarDate(screen.nowMs, zoneOf(screen.siteTimeZone, timeZone));
    const next = await showNext(screen, `${day}_${screen.name}`);
    if (next !== 'limit') pokeStock();
    if (typeof next !== 'string') return showing(next);
    // An old code is better than none.
    if (isUnused(screen)) return showing(screen);
    const isComing = next === 'empty' && !(await isConsoleFailing(screen.siteId));
    return { screen, state: isComing ? 'preparing' : 'none', voucher: undefined };
  };

  /** If the database cannot be written, an old code that nobody has used is better than none. */
  async function showNext(screen: RollingScreen, storedName: string) {
    try {
      return await rolling.showNext(screen, storedName);
    } catch (error) {
      if (!isUnused(screen)) throw error;
      log.warn({ screenId: screen.id, err: error }, 'a rolling code was not replaced, its old code stays');
      return screen;
    }
  }

  /** If the look cannot be stored, the code is shown nevertheless. */
  async function noteLook({ id }: RollingScreen): Promise<void> {
    await rolling
      .noteLook(id)
      .catch((error) => log.warn({ screenId: id, err: error }, 'a look at a rolling code was not recorded'));
    pokeStock();
  }

  async function isConsoleFailing(siteId: SiteId): Promise<boolean> {
    const sync = (await readSyncs()).get(siteId);
    return sync !== undefined && isFailing(sync);
  }
}

function showing(screen: RollingScreen): RollingLook {
  return { screen, state: screen.shown ? 'ready' : 'none', voucher: screen.shown ?? undefined };
}

function isLookDue({ lookedAtMs, nowMs }: RollingScreen): boolean {
  return lookedAtMs === null || Math.abs(nowMs - lookedAtMs) >= LOOK_EVERY_MS;
}

/** A code that was shown long before or after `nowMs` is replaced: perhaps the clock was wrong then. */
export function isNextDue(screen: RollingScreen): boolean {
  const { shownAtMs, nowMs } = screen;
  return !isUnused(screen) || shownAtMs === null || Math.abs(nowMs - shownAtMs) >= SHOWN_MS;
}

export function isUnused({ shown, nowMs }: Pick<RollingScreen, 'shown' | 'nowMs'>): boolean {
  return shown !== null && stateOf(shown, toWholeSeconds(nowMs)) === 'unused';
}

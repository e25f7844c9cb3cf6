// Where the vouchers of a site can be printed: on one of its receipt printers, or on paper with the print dialog of the
// browser. The device remembers in a cookie what was chosen last at each site.

import type { SiteId } from '../../../kernel/ids.ts';
import type { PageContext } from '../../../kernel/pages/context.ts';
import { readCookie, writeCookie } from '../../../kernel/pages/cookies.ts';
import { UNKNOWN } from '../../../platform/values/unknown-value.ts';
import type { Printer } from '../printer.ts';

/** The value of the field `printer` for paper. */
export const PAPER = 'paper';
const PLACES_COOKIE = 'print-places';
/** For each site its id, and the id of a printer or `paper`. */
const CHOICE = /^(\d{1,10})\.(\d{1,10}|paper)$/;
/** The site used longest ago is forgotten first. Browsers limit the size of a cookie. */
const MAX_SITES = 20;
const YEAR_S = 365 * 24 * 60 * 60;

export interface PrintPlaces {
  /** Empty if vouchers of the site are printed on paper only. */
  printers: Printer[];
  /** Undefined if the user has to choose. */
  chosen: Printer | typeof PAPER | undefined;
  /** True if there are printers, but the vouchers belong to several sites. */
  isDivided?: boolean;
}

export async function printPlacesOf(context: PageContext, siteId: SiteId): Promise<PrintPlaces> {
  return (await printPlacesAt(context, [siteId]))(siteId);
}

export type PlacesAt = (siteId: SiteId) => PrintPlaces;

/** Like `printPlacesOf`, for several sites. */
export async function printPlacesAt(context: PageContext, siteIds: SiteId[]): Promise<PlacesAt> {
  const all = siteIds.length === 0 ? [] : await context.app.printers.list(siteIds);
  const usable = Map.groupBy(
    all.filter(({ kind }) => kind !== UNKNOWN),
    ({ siteId }) => siteId,
  );
  return (siteId) => {
    const printers = usable.get(siteId) ?? [];
    return { printers, chosen: chosenOf(context, siteId, printers) };
  };
}

/** What was chosen last, unless that printer is gone. Otherwise the only printer. */
function chosenOf(context: PageContext, siteId: SiteId, printers: Printer[]): PrintPlaces['chosen'] {
  const [, , kept] = stored(context).find(([, id]) => id === String(siteId)) ?? [];
  if (printers.length === 0 || kept === PAPER) return PAPER;
  return findPrinter(printers, kept) ?? (printers.length === 1 ? printers[0] : undefined);
}

export function findPrinter(printers: Printer[], id: string | null | undefined): Printer | undefined {
  return printers.find((printer) => String(printer.id) === id);
}

/** `place` is the id of a printer or `paper`. */
export function rememberPlace(context: PageContext, siteId: SiteId, place: string | number): void {
  const choice = `${siteId}.${place}`;
  const known = stored(context);
  if (known[0]?.[0] === choice) return;
  const others = known.filter(([, id]) => id !== String(siteId)).map(([one]) => one);
  const value = [choice, ...others].slice(0, MAX_SITES).join('_');
  writeCookie(context, { name: PLACES_COOKIE, value, maxAge: YEAR_S });
}

function stored(context: PageContext): RegExpExecArray[] {
  const choices = readCookie(context, PLACES_COOKIE)?.split('_') ?? [];
  return choices.map((choice) => CHOICE.exec(choice)).filter((read) => read !== null);
}

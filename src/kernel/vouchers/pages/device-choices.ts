// What a device remembers of the voucher form, in cookies: the site of the last voucher, the validity and the number of
// devices that were chosen last at each site, and whether new vouchers are printed immediately.

import type { SiteId } from '../../ids.ts';
import type { PageContext } from '../../pages/context.ts';
import { readCookie, writeCookie } from '../../pages/cookies.ts';
import { DEFAULT_EXPIRE_MINUTES, type VoucherOrder } from '../voucher-order.ts';
import { isNights, toMinutesFields } from './validity-field.ts';

const SITE_COOKIE = 'last-site';
/** If this cookie is set, new vouchers are printed immediately on this device. */
const PRINT_COOKIE = 'print-at-once';
const CHOICES_COOKIE = 'last-choices';
/** The site used longest ago is forgotten first. Browsers limit the size of a cookie. */
const MAX_SITES = 20;
const YEAR_S = 365 * 24 * 60 * 60;

/** For each site its id, the value of the field `validity` or the minutes, and the number of devices. */
const CHOICE = /^(\d{1,10})\.(\d{1,10}|nights-\d)\.(\d{1,10})$/;

export function lastSiteOf(context: PageContext): string | undefined {
  return readCookie(context, SITE_COOKIE);
}

/** The values of the form that were chosen last at a site. */
export function lastChoicesOf(context: PageContext, siteId: SiteId | undefined): Record<string, string> {
  const [, , validity = '', uses = ''] = stored(context).find(([, id]) => id === String(siteId)) ?? [];
  if (isNights(validity)) return { uses, validity };
  return /^\d+$/.test(validity) ? { uses, ...toMinutesFields(Number(validity)) } : {};
}

/** A date is not remembered, because it passes: the validity that was chosen before stays. */
export function rememberChoices(
  context: PageContext,
  { siteId, maxUses, expireMinutes }: VoucherOrder,
): void {
  writeCookie(context, { name: SITE_COOKIE, value: String(siteId), maxAge: YEAR_S });
  const chosen = context.form.get('validity') ?? '';
  const known = stored(context);
  const before = known.find(([, id]) => id === String(siteId))?.[2] ?? DEFAULT_EXPIRE_MINUTES;
  const validity = isNights(chosen) ? chosen : chosen === 'until' ? before : expireMinutes;
  const others = known.filter(([, id]) => id !== String(siteId));
  const choices = [`${siteId}.${validity}.${maxUses}`, ...others.map(([choice]) => choice)];
  writeCookie(context, {
    name: CHOICES_COOKIE,
    value: choices.slice(0, MAX_SITES).join('_'),
    maxAge: YEAR_S,
  });
}

function stored(context: PageContext): RegExpExecArray[] {
  const choices = readCookie(context, CHOICES_COOKIE)?.split('_') ?? [];
  return choices.map((choice) => CHOICE.exec(choice)).filter((read) => read !== null);
}

/** True if new vouchers are printed immediately, as chosen in the submitted form, otherwise as stored in the cookie. */
export function printsAtOnce(context: PageContext): boolean {
  return context.request.method === 'POST'
    ? context.form.has('print')
    : readCookie(context, PRINT_COOKIE) !== undefined;
}

export function rememberPrinting(context: PageContext): void {
  rememberSwitch(context, PRINT_COOKIE, context.form.has('print'));
}

/** Remembers on this device that something is on. */
export function rememberSwitch(context: PageContext, name: string, isOn: boolean): void {
  if (isOn || readCookie(context, name) !== undefined)
    writeCookie(context, { name, value: '1', maxAge: isOn ? YEAR_S : 0 });
}

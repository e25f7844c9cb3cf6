// A notice is a message such as "User saved". It is shown once, on the page that opens after a form was sent. A cookie
// stores the kind of the notice and the path of this page, but not the text, so a forged cookie cannot add a text.

import type { Html } from '../../platform/pages/ui/html.ts';
import type { Messages } from '../texts/messages-de.ts';
import type { PageContext } from './context.ts';
import { readCookie, writeCookie } from './cookies.ts';
import { type MessageKind, message } from './message.ts';

export type NoticeKind = keyof Messages['notices'];

const NOTICE_COOKIE = 'gastpass-notice';
const KEPT_S = 60;
/** The style of notices that do not report a success. */
const KINDS: Partial<Record<NoticeKind, MessageKind>> = {
  formNotSent: 'info',
  newDay: 'info',
  deliveryWaits: 'info',
  printOrderedPartly: 'warning',
  printTooLate: 'warning',
  deliveryWaitsOff: 'warning',
  siteBeingRemoved: 'info',
  siteContentsChanged: 'warning',
  siteMadeInactive: 'warning',
  sitesMadeInactive: 'warning',
};

export function leaveNotice(context: PageContext, kind: NoticeKind, location: string): void {
  const path = location.replace(/[?#].*/, '');
  writeCookie(context, { name: NOTICE_COOKIE, value: `${kind} ${path}`, maxAge: KEPT_S });
}

/** Returns the notice for this page and deletes its cookie. */
export function takeNotice(context: PageContext): Html | undefined {
  const [name = '', path] = (readCookie(context, NOTICE_COOKIE) ?? '').split(' ');
  const { notices } = context.messages;
  if (path !== context.path || !isNoticeKind(name, notices)) return undefined;
  writeCookie(context, { name: NOTICE_COOKIE, value: '', maxAge: 0 });
  return message(KINDS[name] ?? 'success', notices[name]);
}

function isNoticeKind(name: string, notices: Messages['notices']): name is NoticeKind {
  return Object.hasOwn(notices, name);
}

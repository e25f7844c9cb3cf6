// Says what became of a mail, in the same words on every page.

import type { PageContext } from '../../../kernel/pages/context.ts';
import { sayMoment } from '../../../kernel/pages/say-moment.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { type IconName, icon } from '../../../platform/pages/ui/icons.ts';
import { UNKNOWN } from '../../../platform/values/unknown-value.ts';
import type { LoggedMail } from '../mail.ts';
import { MAIL_TEXTS } from '../mail-texts.ts';

type State = LoggedMail['state'];

/** The page of the mail shows all of it. */
const MAX_ADDRESS_SHOWN = 40;

const PILLS = {
  held: 'used',
  waiting: 'used',
  sent: 'valid',
  failed: 'failing',
  cancelled: 'expired',
  unknown: 'used',
} as const satisfies Record<State, string>;
const SHAPES = {
  held: 'expired',
  waiting: 'expired',
  sent: 'valid',
  failed: 'warning',
  cancelled: 'ended',
  unknown: 'warning',
} as const satisfies Record<State, IconName>;

export function mailPill({ language }: PageContext, { state }: Pick<LoggedMail, 'state'>): Html {
  return html`<span class="pill ${PILLS[state]}">${icon(SHAPES[state])}${MAIL_TEXTS[language].states[state]}</span>`;
}

/** One sentence without a full stop: "Sent to a…@example.org, 14:03". */
export function sayMail(context: PageContext, mail: LoggedMail): string {
  const text = MAIL_TEXTS[context.language];
  const { state, sentAtMs, nextAttemptAtMs, attempts } = mail;
  const to = shortened(mail.maskedAddress);
  switch (state) {
    case 'sent':
      return text.sent(to, sayMoment(context, sentAtMs ?? mail.createdAtMs));
    case 'failed':
      return text.failed(to);
    case 'cancelled':
      return text.cancelled(to);
    case UNKNOWN:
      return text.notKnown(to);
    default:
      return attempts > 0 && nextAttemptAtMs !== null
        ? text.waitsUntil(to, sayMoment(context, nextAttemptAtMs))
        : text.waits(to);
  }
}

/** Like `sayMail`. Also says whether a waiting mail waits for the server. */
export async function sayMailNow(context: PageContext, mail: LoggedMail): Promise<string> {
  const isWaiting = mail.state === 'waiting' || mail.state === 'held';
  if (!isWaiting || (await context.app.mails.readServerState()).failures === 0) return sayMail(context, mail);
  return MAIL_TEXTS[context.language].waitsForServer(shortened(mail.maskedAddress));
}

/** The line about the newest mail below a voucher's code. */
export async function mailedLine(context: PageContext, mail: LoggedMail): Promise<Html> {
  return html`<p class="mailed${mail.isUnread && ' bad'}">${icon('mail')}${await sayMailNow(context, mail)}</p>`;
}

/** The words of the mail server about a mail that failed, or that it has not accepted yet. */
export function serverWords({ language }: PageContext, mail: LoggedMail): Html | false {
  const { state, lastError } = mail;
  if (lastError === null || (state !== 'failed' && state !== 'waiting')) return false;
  return html`<p class="soft said clamped">${MAIL_TEXTS[language].serverSaid} <bdi lang="en">${lastError}</bdi></p>`;
}

/** A long domain is cut, to keep the list small. Browsers would break the line behind the ellipsis. */
function shortened(masked: string): string {
  const shown = masked.length > MAX_ADDRESS_SHOWN ? `${masked.slice(0, MAX_ADDRESS_SHOWN)}…` : masked;
  return shown.replace('…@', '…\u2060@');
}

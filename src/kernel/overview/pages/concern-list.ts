// The list of concerns on the overview: what is wrong, since when, and a button that leads to the page where it is fixed.
// Equal concerns, such as all sites of a console that does not answer, are folded into one line that opens.

import { MAIL_TEXTS } from '../../../features/mail/mail-texts.ts';
import { PRINTER_TEXTS } from '../../../features/printers/printer-texts.ts';
import { RESERVE_TEXTS } from '../../../features/reserve/reserve-texts.ts';
import type { Webhook } from '../../../features/webhooks/webhook.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import { listNames } from '../../../platform/texts/name-list.ts';
import { isCertificateCause, isFixedByConnection } from '../../controllers/controller.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { note } from '../../pages/message.ts';
import { explain, fixFor, sayCause } from '../../sites/pages/controller-errors.ts';
import { comparison } from '../../sites/pages/site-view.ts';
import { type Concern, GIVEN_UP_DAYS } from '../find-concerns.ts';

/** The smallest number of equal concerns that are folded. */
const FOLDED_FROM = 3;

type WebhookConcern = Extract<Concern, { webhook: Webhook }>;

interface Way {
  href: string;
  button: string;
  /** If set, the button sends a form instead of being a link. The form opens the comparison of certificates. */
  compared?: Parameters<typeof comparison>[1];
}

/** The list of concerns. Screen readers announce it when a refresh changes it. */
export function concernList(context: AuthenticatedContext, concerns: Concern[]): Html {
  const { overview: text } = context.messages;
  const well = note('success', text.allWell);
  const groups = [...Map.groupBy(concerns, likenessOf).values()];
  const list = html`<section class="card bad"><h2>${text.attention}</h2><ul class="concerns">${groups.map(
    (equal) =>
      equal.length < FOLDED_FROM
        ? equal.map(
            (concern) =>
              html`<li>${icon('warning')}${line(context, concern, adviceFor(context, concern))}</li>`,
          )
        : folded(context, equal),
  )}</ul></section>`;
  return html`<div id="problems" data-part aria-live="polite">${concerns.length === 0 ? well : list}</div>`;
}

/** Concerns with the same likeness are equal. */
function likenessOf(concern: Concern): string {
  const { kind } = concern;
  if (kind === 'site-failing') return `${kind} ${concern.cause}`;
  if (kind === 'printer-failing') return `${kind} ${concern.advice}`;
  return kind === 'order-failed' ? `${kind} ${concern.action} ${concern.cause}` : kind;
}

function line(context: AuthenticatedContext, concern: Concern, advice?: string): Html {
  const what = sayWhat(context, concern, sayWho(context, concern));
  const detail = [sayWhen(context, concern), advice].filter((said) => said !== undefined).join(' ');
  const { href, button, compared } = wayFrom(context, concern);
  const label = html`${button}<span class="hidden-text">: ${what}</span>`;
  return html`<div><strong>${what}</strong>${detail && html`<br>${detail}`}</div>${compared ? comparison(context, compared, label) : html`<a class="button mend" href="${href}">${label}</a>`}`;
}

/** One line for all. It opens without JavaScript. */
function folded(context: AuthenticatedContext, equal: Concern[]): Html {
  const { messages, language } = context;
  const { overview: text } = messages;
  const all = equal.reduce(sum);
  const what = sayWhat(context, all, sayCount(context, all, equal.length));
  const names = listNames(equal.map(nameOf), { rest: text.others, language });
  return html`<li><details><summary class="folded">${icon('warning')}<span><strong>${what}</strong><br>${names}<br>${adviceFor(context, all)}</span><span class="button">${text.showEach}</span></summary>
<ul>${equal.map((concern) => html`<li>${line(context, concern)}</li>`)}</ul></details></li>`;
}

function sayCount(
  { messages: { overview: text } }: AuthenticatedContext,
  like: Concern,
  count: number,
): string {
  if ('site' in like) return text.sites(count);
  if ('screen' in like) return text.screens(count);
  return 'printer' in like ? text.printers(count) : text.webhooks(count);
}

/** What is true of both concerns: the vouchers of both sites, the failures that both webhooks have. */
function sum(one: Concern, other: Concern): Concern {
  if (one.kind === 'reserve-low' && other.kind === 'reserve-low')
    return { ...one, ready: one.ready + other.ready, wanted: one.wanted + other.wanted };
  if ('count' in one && 'count' in other) return { ...one, count: one.count + other.count };
  if (!('webhook' in one && 'webhook' in other)) return one;
  return one.webhook.failures < other.webhook.failures ? one : other;
}

function nameOf(concern: Concern): string {
  if ('site' in concern) return concern.site.name;
  if ('printer' in concern) return concern.printer.name;
  if ('screen' in concern) return concern.screen.name;
  return 'webhook' in concern ? concern.webhook.name : '';
}

function sayWho({ messages }: AuthenticatedContext, concern: Concern): string {
  const name = nameOf(concern);
  if ('printer' in concern) return messages.overview.printer(name);
  if ('screen' in concern) return messages.overview.screen(name);
  return 'webhook' in concern ? messages.overview.webhook(name) : name;
}

function sayWhat(context: AuthenticatedContext, concern: Concern, who: string): string {
  const { overview: text, lostVouchers } = context.messages;
  const mails = MAIL_TEXTS[context.language];
  switch (concern.kind) {
    case 'site-failing':
      return `${who}: ${sayCause(context, concern.cause)}`;
    case 'site-never-synced':
      return text.siteNeverSynced(who);
    case 'vouchers-lost':
      return lostVouchers.concern(who, concern.count);
    case 'vouchers-overdue':
      return text.overdue(who, concern.count);
    case 'order-failed':
      return text.orderFailed[concern.action](who);
    case 'reserve-low':
      return RESERVE_TEXTS[context.language].low(who, concern.ready, concern.wanted);
    case 'clock-doubted':
      return text.clockDoubted;
    case 'mail-server-failing':
      return mails.serverFails;
    case 'mails-failed':
      return mails.unread(concern.mails);
    case 'printer-failing':
      return `${who}: ${PRINTER_TEXTS[context.language].states[concern.state]}`;
    case 'screen-silent':
      return text.screenSilent(who);
    case 'webhook-off':
      return text.webhookOff(who);
    case 'webhook-failing':
      return text.webhookFailing(who, concern.webhook.failures);
    case 'webhook-gave-up':
      return text.webhookLost(who);
  }
}

/** What differs between equal concerns. */
function sayWhen(context: AuthenticatedContext, concern: Concern): string | undefined {
  const { overview: text, lostVouchers } = context.messages;
  if (concern.kind === 'site-failing') return text.since(sayTime(concern.sinceMs, context));
  if (concern.kind === 'vouchers-lost') return lostVouchers.noticed(sayTime(concern.noticedAtMs, context));
  if (concern.kind === 'vouchers-overdue') return text.overdueDetail(sayTime(concern.endedAtMs, context));
  if ((concern.kind === 'printer-failing' || concern.kind === 'screen-silent') && concern.sinceMs !== null)
    return text.since(sayTime(concern.sinceMs, context));
  if (concern.kind === 'order-failed') return text.at(sayTime(concern.atMs, context));
  const givenUp = 'webhook' in concern ? concern.givenUp : 0;
  return givenUp > 0 ? text.webhookGaveUp(givenUp, GIVEN_UP_DAYS) : undefined;
}

/** What follows or how to fix it. The same for equal concerns. */
function adviceFor(context: AuthenticatedContext, concern: Concern): string | undefined {
  if (concern.kind === 'site-failing') return fixFor(context, concern.cause);
  if (concern.kind === 'vouchers-lost') return context.messages.lostVouchers.means(concern.count);
  if (concern.kind === 'vouchers-overdue')
    return context.messages.overview.overdueAdvice[concern.atLimit ? 'limit' : 'console'];
  if (concern.kind === 'reserve-low') return RESERVE_TEXTS[context.language].lowAdvice;
  if (concern.kind === 'printer-failing') return PRINTER_TEXTS[context.language].advice[concern.advice];
  if (concern.kind === 'screen-silent') return context.messages.overview.screenSilentAdvice;
  if (concern.kind === 'mail-server-failing') return sayServerFailure(context, concern.error);
  return concern.kind === 'order-failed' ? explain(context, concern.cause) : undefined;
}

function sayServerFailure({ language }: AuthenticatedContext, error: string | null): string {
  const text = MAIL_TEXTS[language];
  return error === null ? text.serverFailsWhat : `${text.serverFailsWhat} ${text.serverSaid} ${error}`;
}

function wayFrom(context: AuthenticatedContext, concern: Concern): Way {
  const { overview: text, lostVouchers, health } = context.messages;
  const mails = MAIL_TEXTS[context.language];
  const printers = PRINTER_TEXTS[context.language];
  switch (concern.kind) {
    case 'site-failing':
    case 'order-failed':
      return wayToSite(context, concern);
    case 'vouchers-overdue':
      if (concern.atLimit) return { href: '/settings#retention', button: health.toRetention };
      return { href: `/sites/${concern.site.id}`, button: text.toSite };
    case 'site-never-synced':
    case 'reserve-low':
      return { href: `/sites/${concern.site.id}`, button: text.toSite };
    case 'vouchers-lost':
      return { href: `/sites/${concern.site.id}/lost`, button: lostVouchers.again };
    case 'clock-doubted':
      return { href: '/health', button: text.toHealth };
    case 'printer-failing':
      return { href: `/printers/${concern.printer.id}`, button: printers.look };
    case 'screen-silent':
      return { href: `/screens/${concern.screen.id}`, button: text.toScreen };
    case 'mail-server-failing':
      return { href: '/settings/e-mail', button: mails.toServer };
    case 'mails-failed':
      return { href: '/mails?state=unread', button: mails.look };
    default:
      return wayToWebhook(context, concern);
  }
}

function wayToWebhook({ messages: { overview: text } }: AuthenticatedContext, concern: WebhookConcern): Way {
  const path = `/webhooks/${concern.webhook.id}`;
  return concern.kind === 'webhook-off'
    ? { href: path, button: text.toWebhook }
    : { href: `${path}/deliveries`, button: text.toDeliveries };
}

function wayToSite(
  { messages: { overview: text } }: AuthenticatedContext,
  { site: { id, connection }, cause }: Extract<Concern, { cause: unknown }>,
): Way {
  const href = `/sites/${id}`;
  if (isCertificateCause(cause))
    return { href, button: text.toCertificate, ...(connection && { compared: { id, connection } }) };
  return connection && isFixedByConnection(cause)
    ? { href: `${href}/access`, button: text.toConnection }
    : { href, button: text.toSite };
}

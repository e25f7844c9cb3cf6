// The list of concerns on the overview: what is wrong, since when, and a button that leads to the page where it is fixed.

import { type Concern, GIVEN_UP_DAYS } from '../../../domain/concerns/find-concerns.ts';
import { isCertificateCause, isFixedByConnection } from '../../../domain/controller.ts';
import type { Webhook } from '../../../domain/webhooks/webhook.ts';
import { sayTime } from '../../../i18n/durations.ts';
import type { AuthenticatedContext } from '../../http/context.ts';
import { type Html, html } from '../../ui/html.ts';
import { icon } from '../../ui/icons.ts';
import { note } from '../../ui/message.ts';
import { explain, fixFor, sayCause } from '../sites/controller-errors.ts';
import { comparison } from '../sites/site-view.ts';

interface Shown {
  what: string;
  detail?: string;
  href: string;
  button: string;
  /** If set, the button sends a form instead of being a link. The form opens the comparison of certificates. */
  compared?: Parameters<typeof comparison>[1];
}

/** The list of concerns. Screen readers announce it when a refresh changes it. */
export function concernList(context: AuthenticatedContext, concerns: Concern[]): Html {
  const { overview: text } = context.messages;
  const well = note('success', text.allWell);
  const list = html`<section class="card bad"><h2>${text.attention}</h2><ul class="concerns">${concerns.map(
    (concern) => {
      const { what, detail, href, button, compared } = show(context, concern);
      const label = html`${button}<span class="hidden-text">: ${what}</span>`;
      return html`<li>${icon('warning')}<div><strong>${what}</strong>${detail !== undefined && html`<br>${detail}`}</div>${compared ? comparison(context, compared, label) : html`<a class="button mend" href="${href}">${label}</a>`}</li>`;
    },
  )}</ul></section>`;
  return html`<div id="problems" data-part aria-live="polite">${concerns.length === 0 ? well : list}</div>`;
}

function show(context: AuthenticatedContext, concern: Concern): Shown {
  const { overview: text } = context.messages;
  switch (concern.kind) {
    case 'site-failing':
      return showSite(context, concern);
    case 'site-never-synced': {
      const { id, name } = concern.site;
      return { what: text.siteNeverSynced(name), href: `/sites/${id}`, button: text.toSite };
    }
    case 'vouchers-lost':
      return showLoss(context, concern);
    case 'order-failed': {
      const { site, action, cause, atMs } = concern;
      const what = text.orderFailed[action](site.name);
      const shown = showSite(context, { kind: 'site-failing', site, cause, sinceMs: atMs });
      return {
        ...shown,
        what,
        detail: `${sayTime(atMs, context)}: ${explain(context, cause)}`,
      };
    }
    case 'clock-doubted':
      return { what: text.clockDoubted, href: '/health', button: text.toHealth };
    default:
      return showWebhook(context, concern);
  }
}

function showLoss(
  context: AuthenticatedContext,
  { site, count, noticedAtMs }: Extract<Concern, { kind: 'vouchers-lost' }>,
): Shown {
  const { lostVouchers: text } = context.messages;
  return {
    what: text.concern(site.name, count),
    detail: `${text.means(count)} ${text.noticed(sayTime(noticedAtMs, context))}`,
    href: `/sites/${site.id}/lost`,
    button: text.again,
  };
}

function showWebhook(
  { messages: { overview: text } }: AuthenticatedContext,
  { kind, webhook, givenUp }: Extract<Concern, { webhook: Webhook }>,
): Shown {
  const { id, name, failures } = webhook;
  const lost = givenUp > 0 ? { detail: text.webhookGaveUp(givenUp, GIVEN_UP_DAYS) } : {};
  if (kind === 'webhook-off')
    return { what: text.webhookOff(name), ...lost, href: `/webhooks/${id}`, button: text.toWebhook };
  const what = kind === 'webhook-failing' ? text.webhookFailing(name, failures) : text.webhookLost(name);
  return { what, ...lost, href: `/webhooks/${id}/deliveries`, button: text.toDeliveries };
}

function showSite(
  context: AuthenticatedContext,
  { site, cause, sinceMs }: Extract<Concern, { kind: 'site-failing' }>,
): Shown {
  const { overview: text } = context.messages;
  const { id, name, connection } = site;
  const detail = `${text.since(sayTime(sinceMs, context))} ${fixFor(context, cause)}`;
  const what = `${name}: ${sayCause(context, cause)}`;
  if (isCertificateCause(cause))
    return {
      what,
      detail,
      href: `/sites/${id}`,
      button: text.toCertificate,
      ...(connection && { compared: { id, connection } }),
    };
  return connection && isFixedByConnection(cause)
    ? { what, detail, href: `/sites/${id}/access`, button: text.toConnection }
    : { what, detail, href: `/sites/${id}`, button: text.toSite };
}

// The generic webhook format, following Standard Webhooks: a JSON body, and headers that authenticate the sender and
// the time.

import { createHmac } from 'node:crypto';
import { publishedCause } from '../../../kernel/controllers/controller.ts';
import type { Notification } from '../notification.ts';
import type { SigningSecrets } from '../webhook.ts';
import type { ChatMessage } from './platforms.ts';

export function toGenericMessage(notification: Notification): ChatMessage {
  const { kind, occurredAtMs } = notification;
  const body = JSON.stringify({ type: kind, timestamp: toIso(occurredAtMs), data: dataOf(notification) });
  return { contentType: 'application/json', body };
}

/** The fields are published in docs/webhooks.md, so they are never renamed or removed. New fields may be added. */
function dataOf(notification: Notification): Record<string, string | number | boolean | null> {
  const { siteName: site } = notification;
  switch (notification.kind) {
    case 'webhook.test':
      return {};
    case 'voucher.created':
      return { count: notification.voucherCount, site, source: notification.source };
    case 'site.unreachable': {
      const { siteId, sinceMs, cause } = notification;
      return { site, site_id: siteId, since: toIso(sinceMs), cause: cause && publishedCause(cause) };
    }
    case 'site.recovered':
    case 'certificate.changed':
      return { site, site_id: notification.siteId, since: toIso(notification.sinceMs) };
    case 'webhook.failing': {
      const { webhookName, webhookId, failures, isOff } = notification;
      return { webhook: webhookName, webhook_id: webhookId, failures, switched_off: isOff };
    }
    case 'request.created': {
      const { siteId, requestId, waiting } = notification;
      return { site, site_id: siteId, request_id: requestId, waiting };
    }
  }
}

const toIso = (ms: number) => new Date(ms).toISOString();

export function signatureHeaders(
  { eventId, body }: { eventId: string; body: string },
  secrets: SigningSecrets,
  nowMs: number,
): Record<string, string> {
  const timestamp = Math.floor(nowMs / 1000);
  const { current, previous } = secrets;
  const valid = previous && nowMs < previous.untilMs ? [current, previous.secret] : [current];
  const signatures = valid.map((secret) => `v1,${sign(`${eventId}.${timestamp}.${body}`, secret)}`);
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}

function sign(text: string, secret: string): string {
  return createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(text)
    .digest('base64');
}

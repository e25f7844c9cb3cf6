// The generic webhook format, following Standard Webhooks: a JSON body, and headers that authenticate the sender and
// the time.

import { createHmac } from 'node:crypto';
import type { Notification } from '../domain/webhooks/notification.ts';
import type { SigningSecrets } from '../domain/webhooks/webhook.ts';
import type { Message } from './platforms.ts';

export function toGenericMessage(notification: Notification): Message {
  const { kind, voucherCount, siteName, source, occurredAtMs } = notification;
  const data = kind === 'webhook.test' ? {} : { count: voucherCount, site: siteName, source };
  const body = JSON.stringify({ type: kind, timestamp: new Date(occurredAtMs).toISOString(), data });
  return { contentType: 'application/json', body };
}

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

// The sentence that chats show for a notification.

import type { Notification } from '../domain/webhooks/notification.ts';

/** Names are inserted as given: the caller must make them safe first. */
export function toSentence({ kind, voucherCount, siteName, source }: Notification): string {
  if (kind === 'webhook.test') return '🎫 Testnachricht von Gastpass.';
  const count = voucherCount === 1 ? 'Ein' : String(voucherCount);
  return `🎫 ${count} Voucher für "${siteName}" von ${source} erstellt.`;
}

// The content of notifications: that vouchers were created, where and by whom. Never their codes.

export interface Notification {
  /** The same for every target and every attempt. */
  eventId: string;
  kind: 'voucher.created' | 'webhook.test';
  voucherCount: number;
  siteName: string;
  source: string;
  occurredAtMs: number;
}

/** The sentence that chats show. Names are inserted as given: the caller must make them safe first. */
export function toSentence({ kind, voucherCount, siteName, source }: Notification): string {
  if (kind === 'webhook.test') return '🎫 Testnachricht von Gastpass.';
  const count = voucherCount === 1 ? 'Ein' : String(voucherCount);
  return `🎫 ${count} Voucher für "${siteName}" von ${source} erstellt.`;
}

// What is told to the outside: that vouchers were made, where and by whom. Never their codes.

export interface Notification {
  /** The same for every target and every try. */
  eventId: string;
  kind: 'voucher.created' | 'webhook.test';
  voucherCount: number;
  siteName: string;
  source: string;
  occurredAtMs: number;
}

/** In the words that chats show. Names are put in as they are given: make them harmless first. */
export function toSentence({ kind, voucherCount, siteName, source }: Notification): string {
  if (kind === 'webhook.test') return '🎫 Testnachricht von Gastpass.';
  const count = voucherCount === 1 ? 'Ein' : String(voucherCount);
  return `🎫 ${count} Voucher für "${siteName}" von ${source} erstellt.`;
}

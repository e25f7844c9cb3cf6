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

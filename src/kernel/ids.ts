// Branded identifiers: the compiler rejects a site's id where a voucher's id is expected. They are created where data
// enters (requests, database rows, the command line).

type Brand<Base, Name extends string> = Base & { readonly brand: Name };

export type SiteId = Brand<number, 'SiteId'>;
export type KeyId = Brand<string, 'KeyId'>;
export type IntentId = Brand<number, 'IntentId'>;
export type UserId = Brand<number, 'UserId'>;
export type VoucherId = Brand<number, 'VoucherId'>;
export type WebhookId = Brand<number, 'WebhookId'>;
export type ProfileId = Brand<number, 'ProfileId'>;
export type BatchId = Brand<string, 'BatchId'>;
export type ReplacementId = Brand<string, 'ReplacementId'>;
export type BulkRevocationId = Brand<string, 'RevocationId'>;
export type MessageId = Brand<number, 'MessageId'>;
export type PrinterId = Brand<number, 'PrinterId'>;
export type ScreenId = Brand<number, 'ScreenId'>;
export type TermsId = Brand<number, 'TermsId'>;
export type StockId = Brand<number, 'StockId'>;
export type GuestRequestId = Brand<number, 'GuestRequestId'>;
/** A delivery is a message to a webhook. */
export type DeliveryId = MessageId;

export const asSiteId = (value: number): SiteId => value as SiteId;
export const asKeyId = (value: string): KeyId => value as KeyId;
export const asIntentId = (value: number): IntentId => value as IntentId;
export const asUserId = (value: number): UserId => value as UserId;
export const asVoucherId = (value: number): VoucherId => value as VoucherId;
export const asWebhookId = (value: number): WebhookId => value as WebhookId;
export const asProfileId = (value: number): ProfileId => value as ProfileId;
export const asBatchId = (value: string): BatchId => value as BatchId;
export const asReplacementId = (value: string): ReplacementId => value as ReplacementId;
export const asBulkRevocationId = (value: string): BulkRevocationId => value as BulkRevocationId;
export const asMessageId = (value: number): MessageId => value as MessageId;
export const asPrinterId = (value: number): PrinterId => value as PrinterId;
export const asScreenId = (value: number): ScreenId => value as ScreenId;
export const asTermsId = (value: number): TermsId => value as TermsId;
export const asStockId = (value: number): StockId => value as StockId;
export const asGuestRequestId = (value: number): GuestRequestId => value as GuestRequestId;
export const asDeliveryId = asMessageId;

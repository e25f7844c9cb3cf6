// What the package `gastpass-client` exports.

export {
  type CallOptions,
  type CreationOptions,
  type GastpassClient,
  makeGastpassClient,
} from './gastpass-client.ts';
export { type ErrorCode, type FieldError, GastpassError } from './gastpass-error.ts';
export type { Retry } from './retry.ts';
export type { ClientOptions } from './send.ts';
export type {
  Batch,
  CreatedVoucher,
  CreatedVouchers,
  HistoryEvent,
  Key,
  Printer,
  Profile,
  Site,
  Voucher,
  VoucherFilter,
  VoucherOrder,
  VoucherPage,
  VoucherStatus,
  VoucherWithHistory,
} from './types.ts';

// What the package `gastpass-client` exports.

export {
  type CallOptions,
  type ClientOptions,
  type CreatedVoucher,
  type CreationOptions,
  type GastpassClient,
  makeGastpassClient,
  type Site,
  type Voucher,
  type VoucherOrder,
} from './gastpass-client.ts';
export { type ErrorCode, GastpassError } from './gastpass-error.ts';
export type { Retry } from './retry.ts';

// What the package `gastpass-client` exports.

export {
  type ClientOptions,
  type CreatedVoucher,
  type GastpassClient,
  makeGastpassClient,
  type Site,
  type Voucher,
  type VoucherOrder,
} from './gastpass-client.ts';
export { type ErrorCode, GastpassError } from './gastpass-error.ts';

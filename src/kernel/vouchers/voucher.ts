// A recorded voucher and the rules that follow from its fields: when it ends, its status, and how its code is written
// for users.

export interface Voucher {
  code: string;
  /** The name on the controller: `<YYYY-MM-DD>_<name>` for vouchers created by this service. */
  name: string;
  /** 0 means unlimited, which occurs only in vouchers that others created on the controller. */
  maxUses: number;
  expireMinutes: number;
  usedCount: number;
  createdAtS: number;
  firstUsedAtS: number | null;
  /**
   * Set when the voucher is revoked, or when the controller no longer lists it (except a used-up single-use voucher).
   */
  endedAtS: number | null;
  /** The end that was ordered, such as the check-out after some nights. Null if only `expireMinutes` counts. */
  endsAtS: number | null;
}

export type VoucherStatus = 'valid' | 'used' | 'expired';

/** The end as the API shows it: an unused voucher has none, because its validity begins with its first use. */
export function expiresAtS(voucher: Lifetime): number | null {
  return voucher.firstUsedAtS === null ? null : endOfTimeS(voucher);
}

type Lifetime = Pick<Voucher, 'firstUsedAtS' | 'expireMinutes' | 'endsAtS'>;

/**
 * When the voucher's time is over: after its minutes, or earlier if it has an end of its own. Null if not known yet.
 */
export function endOfTimeS({ firstUsedAtS, expireMinutes, endsAtS }: Lifetime): number | null {
  if (firstUsedAtS === null) return endsAtS;
  const endS = firstUsedAtS + expireMinutes * 60;
  return endsAtS === null ? endS : Math.min(endS, endsAtS);
}

export function statusOf(voucher: Voucher, nowS: number): VoucherStatus {
  const endS = endOfTimeS(voucher);
  if (voucher.endedAtS !== null || (endS !== null && endS <= nowS)) return 'expired';
  return voucher.maxUses > 0 && voucher.usedCount >= voucher.maxUses ? 'used' : 'valid';
}

/** The name without the date that it begins with on the controller. */
export function nameWithoutDate({ name }: Pick<Voucher, 'name'>): string {
  return name.replace(/^\d{4}-\d{2}-\d{2}_/, '');
}

/** Writes a code in groups of five digits: `0482715936` → `04827-15936`. */
export function formatCode(code: string): string {
  return code.replace(/(.{5})(?=.)/g, '$1-');
}

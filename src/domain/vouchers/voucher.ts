// A recorded voucher and the rules that follow from its fields: when it ends, what state it is in,
// how its code is written for people.

export interface Voucher {
  code: string;
  /** `<YYYY-MM-DD>_<name>`, as it stands on the controller. */
  name: string;
  /** 0 means unlimited: only vouchers that others made on the controller are. */
  maxUses: number;
  expireMinutes: number;
  usedCount: number;
  createdAtS: number;
  firstUsedAtS: number | null;
  /** Set when somebody revoked it, or it vanished from the controller after it had been seen there. */
  endedAtS: number | null;
}

export type VoucherStatus = 'valid' | 'used' | 'expired';

/** A voucher's time runs from its first use; before that there is no end to name. */
export function expiresAtS(voucher: Voucher): number | null {
  return voucher.firstUsedAtS === null ? null : voucher.firstUsedAtS + voucher.expireMinutes * 60;
}

export function statusOf(voucher: Voucher, nowS: number): VoucherStatus {
  const endS = expiresAtS(voucher);
  if (voucher.endedAtS !== null || (endS !== null && endS <= nowS)) return 'expired';
  return voucher.maxUses > 0 && voucher.usedCount >= voucher.maxUses ? 'used' : 'valid';
}

/** Groups of five digits: `0482715936` → `04827-15936`. */
export function formatCode(code: string): string {
  return code.replace(/(.{5})(?=.)/g, '$1-');
}

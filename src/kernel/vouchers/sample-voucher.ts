// A voucher that does not exist, for previews of slips and mails.

export const SAMPLE_VOUCHER = {
  code: '0482715936',
  maxUses: 1,
  expireMinutes: 480,
  downKbps: 0,
  upKbps: 0,
  quotaMb: 0,
  usedCount: 0,
  createdAtS: 0,
  firstUsedAtS: null,
  endedAtS: null,
  endsAtS: null,
};

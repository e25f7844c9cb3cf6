// Faults in the voucher data of a response, and their outcome at each call. The response to a classic creation contains
// no voucher, only the second of its creation; there the list decides.

import {
  brokenOff,
  failed,
  foundLater,
  listed,
  made,
  noVoucher,
  noVoucherFoundLater,
  type Row,
  tooLate,
  unlistedFoundLater,
} from './outcomes.ts';

const noSite = { unifi: failed(/no site "default"/), classic: made };

export const voucherRows: Row[] = [
  { kind: 'without-voucher', login: noSite, create: noVoucher, list: listed(unlistedFoundLater) },
  { kind: 'without-voucher', settings: { written: true }, create: noVoucherFoundLater },
  { kind: 'without-voucher', settings: { times: 1 }, list: listed(made) },
  {
    kind: 'list-ends-early',
    login: { unifi: failed(/ended its list before its end/), classic: made },
    create: { unifi: made, classic: noVoucherFoundLater },
    list: listed(unlistedFoundLater),
  },
  {
    kind: 'without-code',
    login: made,
    create: { unifi: noVoucherFoundLater, classic: made },
    list: listed(noVoucherFoundLater),
  },
  { kind: 'code-as-number', login: made, create: made, list: made },
  { kind: 'slow-to-appear', settings: { ms: 400 }, login: made, create: made, list: made },
  // The official response contains the code. The classic response contains only the second of the creation, and the
  // voucher is not listed for a long time.
  {
    kind: 'slow-to-appear',
    settings: { ms: 40_000 },
    create: { unifi: made, classic: unlistedFoundLater },
  },
  {
    kind: 'late-creation',
    settings: { ms: 30_000 },
    login: failed(brokenOff),
    create: foundLater(brokenOff),
    list: listed(foundLater(brokenOff)),
  },
  // Created while the driver waits, or long after.
  { kind: 'late-creation', settings: { ms: 5_000, ending: 'hang' }, create: made },
  { kind: 'late-creation', settings: { ms: 40_000, ending: 'hang' }, create: foundLater(tooLate) },
  { kind: 'late-creation', settings: { ms: 60_000, ending: 'status' }, create: foundLater(/\(504\)/) },
];

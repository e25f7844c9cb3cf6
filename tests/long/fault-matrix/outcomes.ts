// The words the tables of the fault matrix are written in: a fault, the call of the driver it meets, and
// what the contract wants the caller of POST /vouchers.php to get.

import type { Fault, FaultKind } from '../../../src/unifi-console/faults/fault-list.ts';

export const PHASES = ['login', 'create', 'list'] as const;
/**
 * `login`: the classic login; with an API key, which needs none, the look-up of the site.
 * `list`: the look for the voucher that was made; with an API key only after the creation's answer was lost.
 */
export type Phase = (typeof PHASES)[number];

export interface Outcome {
  status: 201 | 500 | 502;
  /** How many vouchers the controller has in the end, and therefore the records. */
  upstream: 0 | 1;
  /** What the message says, where it matters. */
  says?: RegExp;
}

type Expected = Outcome | { unifi: Outcome; classic: Outcome };

export interface Row extends Partial<Record<Phase, Expected>> {
  kind: FaultKind;
  settings?: Omit<Fault, 'kind' | 'match' | 'api'>;
  /** In the title instead of a setting's text. */
  note?: string;
}

/** What the simulated consoles let in, so that a fault can repeat it. */
/** One for both: whichever a driver was given, a controller that repeats it is not quoted with it. */
const SECRET = 'Sommer-2026-am-See';
export const SECRETS = { password: SECRET, apiKey: SECRET };

export const made: Outcome = { status: 201, upstream: 1 };
/** Nothing was made. */
export const failed = (says: RegExp): Outcome => ({ status: 500, upstream: 0, says });
/** Made all the same: on record soon after the controller can be asked again. */
export const foundLater = (says: RegExp): Outcome => ({ status: 500, upstream: 1, says });

const NO_VOUCHER = /^Der Controller lieferte keinen gültigen Voucher$/;
/** Every call was answered well, but no answer held a voucher with a code. */
export const noVoucher: Outcome = { status: 502, upstream: 0, says: NO_VOUCHER };
export const noVoucherFoundLater: Outcome = { status: 502, upstream: 1, says: NO_VOUCHER };
/** A good status, and behind it nothing that can be read: the controller returned no voucher. */
export const unreadable = noVoucher;
export const unreadableFoundLater = noVoucherFoundLater;
/** Said to be made, and in no list: neither did it return one here. */
export const unlistedFoundLater = noVoucherFoundLater;

export const brokenOff = /connection to the controller broke off/;
export const tooLate = /did not answer in time/;
export const tooLong = /far too long|no list of vouchers/;

/** With an API key there is a list to spoil only when the creation's answer is lost: that is what is told. */
export const listed = (classic: Outcome): Expected => ({ unifi: foundLater(brokenOff), classic });

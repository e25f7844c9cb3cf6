// The terms of the fault matrix: a fault, the call of the driver that it affects, and the response to POST
// /vouchers.php that the contract requires.

import type { Fault, FaultKind } from '../../../packages/unifi-console/src/index.ts';

export const PHASES = ['login', 'create', 'list'] as const;
/**
 * `login`: the classic login; with an API key, which needs no login, the lookup of the site. `list`: the search for the
 * created voucher; with an API key it happens only after the response to the creation was lost.
 */
export type Phase = (typeof PHASES)[number];

export interface Outcome {
  status: 201 | 500 | 502 | 503;
  /** How many vouchers the controller, and therefore the database, has in the end. */
  upstream: 0 | 1;
  /** A pattern for the message, where the message matters. */
  says?: RegExp;
}

type Expected = Outcome | { unifi: Outcome; classic: Outcome };

export interface Row extends Partial<Record<Phase, Expected>> {
  kind: FaultKind;
  settings?: Omit<Fault, 'kind' | 'match' | 'api'>;
  /** Shown in the title instead of the setting `text`. */
  note?: string;
}

/**
 * The same secret as password and as API key of the simulated consoles. A fault can repeat it in a response; no message
 * may contain it.
 */
const SECRET = 'Sommer-2026-am-See';
export const SECRETS = { password: SECRET, apiKey: SECRET };
/** Our secrets, and the beginnings of the cookies of both flavours. */
export const FORBIDDEN = [SECRET, 'unifises=', 'TOKEN=', 'eyJhbGciOi'];

export const made: Outcome = { status: 201, upstream: 1 };
/** No voucher was created. */
export const failed = (says: RegExp): Outcome => ({ status: 500, upstream: 0, says });
/** The controller asked for a pause. No voucher was created. */
export const paused: Outcome = {
  status: 503,
  upstream: 0,
  says: /ausgelastet\. Es wurde kein Voucher erstellt/,
};
/** The voucher was created nevertheless: it is recorded soon after the controller can be searched again. */
export const foundLater = (says: RegExp): Outcome => ({ status: 500, upstream: 1, says });

const NO_VOUCHER = /^Der Controller lieferte keinen gültigen Voucher$/;
/** Every call got a successful response, but no response contained a voucher with a code. */
export const noVoucher: Outcome = { status: 502, upstream: 0, says: NO_VOUCHER };
export const noVoucherFoundLater: Outcome = { status: 502, upstream: 1, says: NO_VOUCHER };
/** A successful status with an unreadable body: the controller returned no voucher. */
export const unreadable = noVoucher;
export const unreadableFoundLater = noVoucherFoundLater;
/** The creation was acknowledged, but no list contains the voucher: here, too, the controller returned no voucher. */
export const unlistedFoundLater = noVoucherFoundLater;

export const brokenOff = /connection to the controller broke off/;
export const tooLate = /did not answer in time/;
export const tooLong = /far too long|not a list/;

/**
 * With an API key a list is read only after the response to the creation was lost, so the message reports the lost
 * response.
 */
export const listed = (classic: Outcome): Expected => ({ unifi: foundLater(brokenOff), classic });

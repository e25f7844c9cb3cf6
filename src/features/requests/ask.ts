// A guest asks the staff for a voucher, on the public page of a site or at a kiosk.

import type { ScreenId } from '../../kernel/ids.ts';
import type { Site } from '../../kernel/sites/site.ts';
import type { AcceptedTerms } from '../../kernel/vouchers/order-purpose.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Counter } from '../../platform/metrics/metric.ts';
import { networkOf } from '../../platform/network/ip.ts';
import type { NetworkFloods } from '../../platform/network/network-floods.ts';
import { hashToken, isPathToken, makePathToken } from '../../platform/secrets/token.ts';
import type { Language } from '../../platform/text/language.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import type { GuestRequestStore } from './guest-request.ts';
import { type RequestIssues, readRequest, type TypedRequest } from './read-request.ts';

/** Requests that one network may send in a minute. The guests of a house often share one IP address. */
export const MAX_ASKED = 10;

export type AskProblem =
  | { kind: 'wrong-fields'; issues: RequestIssues }
  /** The network has sent too many requests in this minute. */
  | { kind: 'throttled' }
  /** Too many requests wait at the site, or too many of this network. */
  | { kind: 'full' };

export const REQUEST_RESULTS = [
  'asked',
  'throttled',
  'full',
  'approved',
  'not-approved',
  'declined',
] as const;
export type RequestResult = (typeof REQUEST_RESULTS)[number];
export const GUEST_REQUESTS: Counter<{ result: RequestResult }> = {
  place: 90,
  name: 'gastpass_guest_requests_total',
  help: 'Requests of guests for vouchers, by result',
  startsWith: REQUEST_RESULTS.map((result) => ({ result })),
};

export type ObserveRequest = (result: RequestResult) => void;

export interface Asking {
  site: Pick<Site, 'id'>;
  screenId?: ScreenId;
  language: Language;
  terms?: AcceptedTerms;
  ip: string;
  /** The id of the HTTP request, for the log. */
  requestId: string;
  /** The token that the form contains. If the form is sent twice, only one request is stored. */
  formToken: string | null;
}

/** Returns the token with which the guest follows the request. */
export type AskForVoucher = (typed: TypedRequest, asking: Asking) => Promise<Result<string, AskProblem>>;

interface Deps {
  guestRequests: Pick<GuestRequestStore, 'add'>;
  /** Counts requests, up to `MAX_ASKED`. */
  floods: NetworkFloods;
  observe: ObserveRequest;
  log: Log;
}

export function makeAskForVoucher({ guestRequests, floods, observe, log }: Deps): AskForVoucher {
  return async function askForVoucher(typed, asking) {
    const { site, screenId = null, language, terms, ip, requestId, formToken } = asking;
    const read = readRequest(typed);
    if (!read.ok) return fail({ kind: 'wrong-fields', issues: read.problem });
    const line = { requestId, siteId: site.id, ...(screenId !== null && { screenId }) };
    if (floods.isFlooding(ip)) return refuse('throttled');
    floods.note(ip);
    const token = formToken !== null && isPathToken(formToken) ? formToken : makePathToken().token;
    const request = { ...read.value, siteId: site.id, screenId, language, ...(terms && { terms }) };
    // A kiosk asks for all its guests. Providers give a customer up to an IPv6 /48.
    const network = screenId === null ? { network: networkOf(ip, 48) } : {};
    const added = await guestRequests.add(request, { tokenHash: hashToken(token), ...network });
    if (!added) return refuse('full');
    if (added.isNew) {
      observe('asked');
      log.info({ ...line, guestRequest: added.id }, 'a guest asks for a voucher');
    }
    return ok(token);

    function refuse(kind: 'throttled' | 'full'): Result<never, AskProblem> {
      observe(kind);
      log.warn({ ...line, reason: kind }, 'request of a guest refused');
      return fail({ kind });
    }
  };
}

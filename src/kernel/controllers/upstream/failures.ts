// How drivers describe a failed call, and the failures that all drivers share. A list that is too long or may be
// incomplete is refused as a whole. Otherwise, vouchers that are missing from the list would be taken for deleted.

import { type ControllerFailure, type FailureCause, MAX_LISTED } from '../controller.ts';

export function refused(cause: FailureCause, text: string): ControllerFailure {
  return { kind: 'refused', cause, text };
}

export function unreachable(cause: FailureCause, text: string): ControllerFailure {
  return { kind: 'unreachable', cause, text };
}

export function outcomeUnknown(cause: FailureCause, text: string): ControllerFailure {
  return { kind: 'outcome-unknown', cause, text };
}

/** For a failed login or read. Such a call changes nothing, so it can be repeated even if the connection broke off. */
export function asRepeatable(failure: ControllerFailure): ControllerFailure {
  return failure.kind === 'outcome-unknown' ? { ...failure, kind: 'unreachable' } : failure;
}

/** The response is not in the controller's format, but the call may have been carried out. */
export const UNEXPECTED = outcomeUnknown('not-controller', 'the controller returned an unexpected response');

type HeaderValue = string | string[] | undefined;

/**
 * The response 429. `retryAfter` is its header; a date in it is ignored, because the controller's clock may be wrong.
 */
function pauseWanted(text: string, retryAfter: HeaderValue): ControllerFailure {
  const failure = unreachable('asks-for-pause', text);
  const isSeconds = typeof retryAfter === 'string' && /^\d{1,9}$/.test(retryAfter);
  return isSeconds ? { ...failure, retryAfterS: boundPauseS(Number(retryAfter)) } : failure;
}

const MAX_PAUSE_S = 300;

/** Callers are told to wait this long. The bound is needed because the controller is not trusted. */
export function boundPauseS(seconds: number): number {
  return Math.min(MAX_PAUSE_S, Math.max(1, Math.ceil(seconds)));
}

/**
 * The failure that an unsuccessful status means on every controller. `detail` is the controller's own message. A write
 * may have been carried out before the controller redirected or failed.
 */
export function failureOfStatus(
  status: number,
  { detail, isWrite, retryAfter }: { detail: string; isWrite: boolean; retryAfter: HeaderValue },
): ControllerFailure {
  if (status === 429) return pauseWanted(`the controller asks for a pause (429)${detail}`, retryAfter);
  if (status >= 300 && status < 400) {
    const make = isWrite ? outcomeUnknown : refused;
    return make('not-controller', `the controller redirects elsewhere (${status})`);
  }
  if (status >= 500) {
    const make = isWrite ? outcomeUnknown : unreachable;
    return make('failed', `the controller failed (${status})${detail}`);
  }
  return refused('refused', `the controller refused (${status})${detail}`);
}

/** The maximum number of vouchers that a search by the names of open intents, or the list of one second, may return. */
export const MAX_FOUND = 50_000;
export const MAX_SITES = 10_000;

export function listTooLong(max: number = MAX_LISTED): ControllerFailure {
  return refused('list-too-long', `the controller sends a list of more than ${max} entries`);
}

export const ENDED_EARLY = refused('failed', 'the controller ended its list before its end');
export const REPEATED = refused('failed', 'the controller repeats a page of its list');
export const UNREADABLE = refused('failed', 'the list of the controller has an entry that cannot be read');
export const NOT_A_LIST = refused(
  'not-controller',
  'the controller answered with something that is not a list',
);

/** Thrown to stop reading a list that arrives piece by piece. */
export class ListRefused extends Error {
  readonly failure: ControllerFailure;

  constructor(failure: ControllerFailure) {
    super(failure.text);
    this.failure = failure;
  }
}

const MAX_NAMED_SITES = 20;

/** Lists the sites of a controller in an error text, at most the first MAX_NAMED_SITES. */
export function nameSites(names: string[]): string {
  const more = names.length - MAX_NAMED_SITES;
  return names.slice(0, MAX_NAMED_SITES).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

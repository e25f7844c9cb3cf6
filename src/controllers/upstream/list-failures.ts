// Why a driver stops reading a list: the list is too long, or it cannot be trusted to be complete. Nothing is concluded
// from such a list, so no voucher is taken for deleted.

import { type ControllerFailure, MAX_LISTED } from '../../domain/controller.ts';

/** Vouchers with the names of open intents, or created in one second. */
export const MAX_FOUND = 50_000;
export const MAX_SITES = 10_000;

export function listTooLong(max: number = MAX_LISTED): ControllerFailure {
  return {
    kind: 'refused',
    cause: 'list-too-long',
    text: `the controller sends a list of more than ${max} entries`,
  };
}

export const ENDED_EARLY: ControllerFailure = {
  kind: 'refused',
  cause: 'failed',
  text: 'the controller ended its list before its end',
};

export const REPEATED: ControllerFailure = {
  kind: 'refused',
  cause: 'failed',
  text: 'the controller repeats a page of its list',
};

export const UNREADABLE: ControllerFailure = {
  kind: 'refused',
  cause: 'failed',
  text: 'the list of the controller has an entry that cannot be read',
};

export const NOT_A_LIST: ControllerFailure = {
  kind: 'refused',
  cause: 'not-controller',
  text: 'the controller answered with something that is not a list',
};

/** Stops reading a list that arrives piece by piece. */
export class ListRefused extends Error {
  readonly failure: ControllerFailure;

  constructor(failure: ControllerFailure) {
    super(failure.text);
    this.failure = failure;
  }
}

const MAX_NAMED_SITES = 20;

/** The sites of a controller for an error text. */
export function nameSites(names: string[]): string {
  const more = names.length - MAX_NAMED_SITES;
  return names.slice(0, MAX_NAMED_SITES).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

// What a problem says in the form of RFC 9457, in English.

import type { ResumeProblem } from '../../kernel/batches/resume-batch.ts';
import { type HttpProblem, refusalOf, retryOf } from '../../kernel/contract/problem-response.ts';
import { publishedCause } from '../../kernel/controllers/controller.ts';
import { causeOf, type OrderField } from '../../kernel/problem.ts';
import type { PlacementProblem } from '../../kernel/vouchers/place-order.ts';
import { PROBLEM_KINDS, type ProblemKind, typeOf } from './problem-kinds.ts';
import type { FieldError, ProblemDetails } from './responses.ts';

export type V1Problem =
  | HttpProblem
  | Extract<PlacementProblem, { kind: 'profile-not-found' }>
  | { kind: 'batch-not-found' }
  | ResumeProblem
  | { kind: 'invalid-json'; text: string }
  | { kind: 'invalid-request'; errors: FieldError[] };

/** Without a problem of the contract, a request is invalid, or names something that does not exist. */
export const INVALID: HttpProblem = { kind: 'unreadable' };

export function detailsOf(problem: V1Problem, requestId = ''): ProblemDetails {
  const kind = kindOf(problem);
  const [status, title] = PROBLEM_KINDS[kind];
  const errors = errorsOf(problem);
  const ofContract = contractProblemOf(problem) ?? INVALID;
  const cause = causeOf(ofContract);
  return {
    type: typeOf(kind),
    title,
    status,
    detail: detailOf(problem),
    cause: cause && publishedCause(cause),
    retry: retryOf(ofContract),
    ...(errors && { errors }),
    request_id: requestId,
  };
}

/** Undefined for the problems that only this API has. */
export function contractProblemOf(problem: V1Problem): HttpProblem | undefined {
  switch (problem.kind) {
    // It has the same headers as an order whose outcome is not known.
    case 'batch-unsettled':
      return { ...problem, kind: 'idempotency-in-progress' };
    case 'profile-not-found':
    case 'batch-not-found':
    case 'batch-not-resumable':
    case 'invalid-json':
    case 'invalid-request':
      return undefined;
    default:
      return problem;
  }
}

export function kindOf({ kind }: V1Problem): ProblemKind {
  switch (kind) {
    case 'site-id-missing':
    case 'name-missing':
    case 'name-too-long':
    case 'name-not-plain':
    case 'out-of-bounds':
    case 'end-passed':
    case 'guest-email-malformed':
    case 'guest-language-malformed':
    case 'guest-print-malformed':
    case 'idempotency-key-malformed':
      return 'invalid-request';
    case 'revocation-busy':
      return 'controller-busy';
    // Not through the API: only orders of screens and approved requests have a purpose.
    case 'screen-limit':
    case 'screen-gone':
    case 'request-decided':
      return 'server-error';
    default:
      return kind;
  }
}

const FIELDS: Record<OrderField, string> = {
  max_uses: 'devices',
  expire_minutes: 'minutes',
  down: 'down_kbps',
  up: 'up_kbps',
  quota_mb: 'data_mb',
};

function errorsOf(problem: V1Problem): FieldError[] | undefined {
  if (problem.kind === 'invalid-request') return problem.errors;
  if (problem.kind === 'end-passed') return [{ field: 'ends_at', message: 'must not have passed' }];
  if (problem.kind !== 'out-of-bounds') return undefined;
  const { field, min = 1, max } = problem;
  return [{ field: FIELDS[field], message: `must be from ${min} to ${max} at this site` }];
}

function detailOf(problem: V1Problem): string {
  switch (problem.kind) {
    case 'invalid-json':
      return problem.text;
    case 'unauthorized':
      return problem.keyWasSent
        ? 'The API key is wrong, revoked or expired.'
        : 'Send the API key in the header "Authorization: Bearer …".';
    case 'scope-missing':
      return `The request needs a key with the scope "${problem.scope}".`;
    case 'method-not-allowed':
      return `Allowed: ${problem.allowed.join(', ')}.`;
    case 'batch-not-resumable':
      return NOT_RESUMABLE[problem.reason];
    // Technical texts, without addresses and secrets.
    case 'creation-failed':
    case 'revocation-failed':
    case 'server-error':
      return refusalOf(problem).message ?? '';
    default:
      return DETAILS[kindOf(problem)] ?? '';
  }
}

const NOT_RESUMABLE: Record<Extract<ResumeProblem, { kind: 'batch-not-resumable' }>['reason'], string> = {
  replaced: 'Another order has taken its place.',
  'too-old': 'It failed more than 24 hours ago.',
  'mail-unreadable': 'The address that its vouchers are sent to can no longer be read.',
  gone: 'It was deleted in the meantime.',
};

const DETAILS: Partial<Record<ProblemKind, string>> = {
  'invalid-request': 'See "errors" for what is wrong with each field.',
  unreadable: 'The request has more than one Host header.',
  'mail-not-set-up': 'An administrator must set up e-mail first, in the settings. Nothing was created.',
  'printer-unknown':
    'The printer does not exist or belongs to another site. GET /sites/{id} lists the printers of a site. Nothing was created.',
  'path-unknown': 'The OpenAPI document lists all paths.',
  'site-not-found': 'There is no such site, it is switched off, or the API key may not use it.',
  'profile-not-found': 'There is no such profile, or the site does not offer it.',
  'voucher-not-found': 'There is no such voucher, or the API key may not use its site.',
  'batch-not-found': 'There is no such batch, or the API key may not use its site.',
  'batch-unsettled':
    'The controller may have created the missing vouchers. Repeat this request later: it then orders what is still missing.',
  'body-too-slow': 'The body did not arrive in time. Send it again.',
  'body-too-large': 'A body has at most 64 KiB.',
  'idempotency-in-progress': 'The outcome of the first request is not known yet. Repeat this request later.',
  'idempotency-key-ended':
    'The order was fulfilled, and its vouchers were revoked or replaced, or have expired. Nothing was created. Use a new Idempotency-Key for a new order.',
  'idempotency-key-reused': 'Use a new Idempotency-Key for a new order.',
  'rate-limited': 'Wait as many seconds as the header Retry-After says.',
  'too-many-mails':
    'An API key can order 500 e-mails in an hour. Wait as many seconds as the header Retry-After says. Nothing was created.',
  'too-many-slips':
    'An API key can order 500 slips in an hour. Wait as many seconds as the header Retry-After says. Nothing was created.',
  'no-valid-voucher': 'The controller accepted the order and returned no usable code. A voucher may exist.',
  'controller-busy': 'The controller has too much to do. Nothing was changed.',
  'instance-outdated':
    'An instance of an older release does not know a part of this order. It must stop first.',
  'database-unavailable': 'The database cannot be used at the moment.',
  unavailable: 'The service is overloaded or about to stop.',
};

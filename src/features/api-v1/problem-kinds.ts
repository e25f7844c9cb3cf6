// The problems that the second API publishes, each with its status and its title. Clients compare the kind, so a kind
// never changes its meaning.

export const PROBLEM_KINDS = {
  'invalid-json': [400, 'The body is not a JSON object'],
  'invalid-request': [400, 'The request is not valid'],
  unreadable: [400, 'The request cannot be read'],
  'mail-not-set-up': [400, 'E-mail is not set up'],
  'printer-unknown': [400, 'The site has no such printer'],
  unauthorized: [401, 'A valid API key is required'],
  'scope-missing': [403, 'The API key lacks the scope'],
  'path-unknown': [404, 'There is nothing at this path'],
  'site-not-found': [404, 'Site not found'],
  'profile-not-found': [404, 'Profile not found'],
  'voucher-not-found': [404, 'Voucher not found'],
  'batch-not-found': [404, 'Batch not found'],
  'method-not-allowed': [405, 'The path does not have this method'],
  'body-too-slow': [408, 'The body arrived too slowly'],
  'idempotency-key-ended': [409, 'The vouchers of this Idempotency-Key have ended'],
  'idempotency-in-progress': [409, 'A request with this Idempotency-Key is still in progress'],
  'batch-unsettled': [409, 'It is not known yet whether the missing vouchers exist'],
  'batch-not-resumable': [409, 'The batch cannot be resumed'],
  'body-too-large': [413, 'The body is too large'],
  'idempotency-key-reused': [422, 'The Idempotency-Key was used with another body'],
  'rate-limited': [429, 'The rate limit of the API key is exceeded'],
  'too-many-mails': [429, 'Too many e-mails were ordered'],
  'too-many-slips': [429, 'Too many slips were ordered'],
  'server-error': [500, 'The service failed'],
  'creation-failed': [502, 'The order failed'],
  'no-valid-voucher': [502, 'The controller returned no valid voucher'],
  'revocation-failed': [502, 'The voucher was not revoked'],
  'controller-busy': [503, 'The controller is busy'],
  'instance-outdated': [503, 'An older release is still running'],
  'database-unavailable': [503, 'The database is not available'],
  unavailable: [503, 'The service is not available'],
} as const satisfies Record<string, [status: number, title: string]>;

export type ProblemKind = keyof typeof PROBLEM_KINDS;

/** Relative, so that it is the same on every installation. It leads to the page that explains the kind. */
export function typeOf(kind: ProblemKind): string {
  return `/api-docs/problems#${kind}`;
}

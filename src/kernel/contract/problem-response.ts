// Maps each problem to an HTTP response: the status, the error code, the German message, and whether to repeat the
// request. Error texts of unknown origin are masked and reduced to one line before they reach the client.

import { type HttpResponse, jsonResponse, type ServerProblem } from '../../platform/http/handler.ts';
import { maskAddresses } from '../../platform/secrets/mask-addresses.ts';
import { maskSecrets } from '../../platform/secrets/mask-secrets.ts';
import { toOneLine } from '../../platform/text/one-line.ts';
import { isCertificateCause, publishedCause } from '../controllers/controller.ts';
import type { Outdated } from '../instances/known-since.ts';
import { causeOf, type OrderField, type Problem } from '../problem.ts';

export type HttpProblem =
  | Problem
  | { kind: 'method-not-allowed'; allowed: readonly string[] }
  | { kind: 'body-too-large' }
  | { kind: 'body-too-slow' }
  | ServerProblem;

export interface Refusal {
  status: number;
  error: string;
  message?: string;
  headers?: Record<string, string>;
}

const RETRY_AFTER_S = 5;

export function refusalOf(problem: HttpProblem): Refusal {
  switch (problem.kind) {
    case 'unauthorized':
      return {
        status: 401,
        error: 'unauthorized',
        message: 'Gültiger API-Schlüssel erforderlich (Authorization: Bearer …)',
        headers: challenge(problem.keyWasSent ? ', error="invalid_token"' : ''),
      };
    case 'rate-limited':
      return {
        status: 429,
        error: 'rate_limited',
        message: 'Rate-Limit überschritten. Bitte später erneut versuchen.',
        headers: { 'retry-after': String(problem.secondsLeft) },
      };
    case 'method-not-allowed':
      return { status: 405, error: 'method_not_allowed', headers: { allow: problem.allowed.join(', ') } };
    case 'scope-missing':
      return {
        status: 403,
        error: 'forbidden',
        message: `Schlüssel hat keinen '${problem.scope}'-Scope`,
        headers: challenge(`, error="insufficient_scope", scope="${problem.scope}"`),
      };
    case 'site-id-missing':
      return invalid('site_id erforderlich');
    case 'name-missing':
      return invalid('name erforderlich');
    case 'name-too-long':
      return invalid(`name darf höchstens ${problem.maxCharacters} Zeichen lang sein`);
    case 'name-not-plain':
      return invalid('name darf keine Steuerzeichen enthalten');
    case 'out-of-bounds':
      return invalid(outOfBoundsText(problem));
    case 'guest-email-malformed':
      return invalid('Guest-Email muss eine einzelne E-Mail-Adresse wie gast@example.org sein');
    case 'guest-language-malformed':
      return invalid('Guest-Language muss eine Sprache wie de oder de-AT sein');
    case 'guest-print-malformed':
      return invalid('Guest-Print muss die Nummer eines Druckers sein, zum Beispiel 2');
    case 'idempotency-key-malformed':
      return invalid('Idempotency-Key muss aus 1 bis 255 sichtbaren ASCII-Zeichen bestehen');
    case 'idempotency-key-reused':
      return {
        status: 422,
        error: 'idempotency_key_reused',
        message: 'Idempotency-Key wurde bereits mit einem anderen Inhalt verwendet',
      };
    case 'idempotency-in-progress':
      return {
        status: 409,
        error: 'idempotency_in_progress',
        message: 'Eine Anfrage mit diesem Idempotency-Key wird noch bearbeitet',
        headers: { 'retry-after': String(problem.retryAfterS) },
      };
    case 'site-not-found':
      return notFound('Site nicht gefunden');
    case 'unreadable':
      return invalid('Anfrage nicht lesbar');
    case 'path-unknown':
      return notFound('Pfad nicht gefunden');
    case 'body-too-large':
      return { status: 413, error: 'payload_too_large', message: 'Anfrage zu groß (höchstens 64 KiB)' };
    case 'body-too-slow':
      return {
        status: 408,
        error: 'request_timeout',
        message: 'Anfrage kam zu langsam an. Bitte erneut versuchen.',
        headers: { connection: 'close' },
      };
    case 'no-valid-voucher':
      return {
        status: 502,
        error: 'upstream_error',
        message: 'Der Controller lieferte keinen gültigen Voucher',
      };
    case 'mail-not-set-up':
      return invalid('Guest-Email: E-Mail ist nicht eingerichtet');
    case 'printer-unknown':
      return invalid('Guest-Print: Die Site hat keinen solchen Drucker');
    case 'too-many-mails':
    case 'too-many-slips':
      return {
        status: 429,
        error: 'rate_limited',
        message: `Zu viele ${problem.kind === 'too-many-mails' ? 'E-Mails' : 'Ausdrucke'} in einer Stunde bestellt. Es wurde kein Voucher erstellt.`,
        headers: { 'retry-after': String(problem.retryAfterS) },
      };
    case 'instance-outdated':
      return unavailable(outdatedText(problem.outdated));
    // The requests of the contract cannot have these problems. The second API has its own texts for them.
    case 'end-passed':
    case 'idempotency-key-ended':
    case 'screen-limit':
    case 'screen-gone':
    case 'request-decided':
      return serverError(problem.kind);
    case 'voucher-not-found':
      return notFound(problem.kind);
    case 'revocation-busy':
      return unavailable(problem.kind, problem.retryAfterS);
    case 'controller-busy':
      return unavailable(
        'Der Controller ist ausgelastet. Es wurde kein Voucher erstellt.',
        problem.retryAfterS,
      );
    case 'creation-failed':
    case 'revocation-failed':
      return serverError(maskAddresses(maskSecrets(problem.text), problem.controllerUrl));
    case 'server-error':
      return serverError(maskAddresses(maskSecrets(problem.text)));
    case 'database-unavailable':
      return { ...unavailable('Datenbank nicht verfügbar.'), error: 'database_unavailable' };
    case 'unavailable':
      return unavailable('Dienst gerade nicht verfügbar.');
  }
}

function serverError(text: string): Refusal {
  return { status: 500, error: 'server_error', message: toOneLine(text) };
}

function invalid(message: string): Refusal {
  return { status: 400, error: 'invalid_request', message };
}

function notFound(message: string): Refusal {
  return { status: 404, error: 'not_found', message };
}

function unavailable(why: string, retryAfterS = RETRY_AFTER_S): Refusal {
  return {
    status: 503,
    error: 'unavailable',
    message: `${why} Bitte später erneut versuchen.`,
    headers: { 'retry-after': String(retryAfterS) },
  };
}

function challenge(detail: string): Record<string, string> {
  return { 'www-authenticate': `Bearer realm="gastpass"${detail}` };
}

function outdatedText({ value }: Outdated): string {
  const unknown = value === 'print' ? 'Drucker' : 'E-Mails';
  return `Eine Instanz läuft noch mit einer älteren Version, die keine ${unknown} kennt.`;
}

function outOfBoundsText({ field, min, max }: { field: OrderField; min?: number; max: number }): string {
  return min === undefined
    ? `${field} darf höchstens ${max} sein`
    : `${field} muss zwischen ${min} und ${max} liegen (0 = unbegrenzt)`;
}

/**
 * `no`: the same request fails again until somebody changes something.
 * `yes`: nothing was done, or the request can be repeated without harm.
 * `after-settling`: a voucher may exist. A repeated request with the same Idempotency-Key is safe at any time, and gets
 * its result once the outcome is known. Without an Idempotency-Key, look at the list first.
 */
export type Retry = 'no' | 'yes' | 'after-settling';

type FailedCall = Extract<HttpProblem, { kind: 'creation-failed' | 'revocation-failed' }>;

export function retryOf(problem: HttpProblem): Retry {
  switch (problem.kind) {
    case 'unauthorized':
    case 'scope-missing':
    case 'method-not-allowed':
    case 'path-unknown':
    case 'unreadable':
    case 'body-too-large':
    case 'site-id-missing':
    case 'name-missing':
    case 'name-too-long':
    case 'name-not-plain':
    case 'out-of-bounds':
    case 'end-passed':
    case 'screen-gone':
    case 'request-decided':
    case 'mail-not-set-up':
    case 'printer-unknown':
    case 'guest-email-malformed':
    case 'guest-language-malformed':
    case 'guest-print-malformed':
    case 'idempotency-key-malformed':
    case 'idempotency-key-reused':
    case 'idempotency-key-ended':
    case 'site-not-found':
    case 'voucher-not-found':
      return 'no';
    case 'rate-limited':
    case 'too-many-mails':
    case 'too-many-slips':
    case 'screen-limit':
    case 'body-too-slow':
    case 'controller-busy':
    case 'revocation-busy':
    case 'database-unavailable':
    case 'unavailable':
    // It passes when the instance of the older release has stopped.
    case 'instance-outdated':
      return 'yes';
    case 'idempotency-in-progress':
    case 'no-valid-voucher':
      return 'after-settling';
    case 'creation-failed':
      return problem.failure === 'outcome-unknown' ? 'after-settling' : retryOfCall(problem);
    // A voucher can be revoked any number of times.
    case 'revocation-failed':
      return retryOfCall(problem);
    case 'server-error':
      return problem.isOpen ? 'after-settling' : 'yes';
  }
}

/** A controller with another certificate is not used until an administrator has confirmed the certificate. */
function retryOfCall({ failure, cause }: FailedCall): Retry {
  return failure === 'refused' || isCertificateCause(cause) ? 'no' : 'yes';
}

export function retryHeaders(problem: HttpProblem): Record<string, string> {
  const cause = causeOf(problem);
  return { 'gastpass-retry': retryOf(problem), ...(cause && { 'gastpass-cause': publishedCause(cause) }) };
}

/** These responses are made only once, so that a refusal costs no more than a successful request. */
const WITHOUT_KEY = toResponse({ kind: 'unauthorized', keyWasSent: false });
const WITH_WRONG_KEY = toResponse({ kind: 'unauthorized', keyWasSent: true });

export function problemResponse(problem: HttpProblem): HttpResponse {
  if (problem.kind !== 'unauthorized') return toResponse(problem);
  return problem.keyWasSent ? WITH_WRONG_KEY : WITHOUT_KEY;
}

function toResponse(problem: HttpProblem): HttpResponse {
  const { status, error, message, headers }: Refusal = refusalOf(problem);
  return jsonResponse(status, { error, message }, { ...headers, ...retryHeaders(problem) });
}

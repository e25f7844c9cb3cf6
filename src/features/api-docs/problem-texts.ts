// What each kind of problem of the second API means, and what a client does about it.

import type { Retry } from '../../kernel/contract/problem-response.ts';
import type { ProblemKind } from '../api-v1/problem-kinds.ts';

interface ProblemText {
  meaning: string;
  advice: string;
  /** `varies`: it depends on what happened. */
  retry: Retry | 'varies';
}

export const PROBLEM_TEXTS: Record<ProblemKind, ProblemText> = {
  'invalid-json': {
    meaning: 'The body is not a JSON object in UTF-8. `detail` says where it breaks.',
    advice: 'Send a JSON object.',
    retry: 'no',
  },
  'invalid-request': {
    meaning:
      'A field of the body, a parameter or a header is missing, unknown or out of range. `errors` names all of them at once.',
    advice: 'Correct each field that `errors` names. What a site allows is in `limits` of `GET /sites/{id}`.',
    retry: 'no',
  },
  unreadable: {
    meaning: 'The request has more than one Host header.',
    advice: 'Send exactly one.',
    retry: 'no',
  },
  'mail-not-set-up': {
    meaning: 'The order has an `email`, and this installation cannot send e-mails. Nothing was created.',
    advice: 'An administrator must set up e-mail. Or order without `email`.',
    retry: 'no',
  },
  'printer-unknown': {
    meaning: 'The printer in `print` does not exist, or it belongs to another site. Nothing was created.',
    advice: 'Ask `GET /sites/{id}` which printers the site has. Or order without `print`.',
    retry: 'no',
  },
  unauthorized: {
    meaning: 'The API key is missing, wrong, revoked or expired.',
    advice: 'Send a valid key in `Authorization: Bearer …` or `X-API-Key`. An administrator issues keys.',
    retry: 'no',
  },
  'scope-missing': {
    meaning: 'The API key may not do this.',
    advice: 'Use a key with the scope that `detail` names. `GET /key` says what a key may do.',
    retry: 'no',
  },
  'path-unknown': {
    meaning: 'There is no call at this path.',
    advice: 'Compare it with the list of calls.',
    retry: 'no',
  },
  'site-not-found': {
    meaning: 'There is no such site, it is switched off, or the API key may not use it.',
    advice: 'Ask `GET /sites` which sites the key may use.',
    retry: 'no',
  },
  'profile-not-found': {
    meaning: 'There is no such profile, or the site does not offer it.',
    advice: 'Ask `GET /sites/{id}` which profiles the site offers.',
    retry: 'no',
  },
  'voucher-not-found': {
    meaning:
      'There is no such voucher, it was deleted when its retention period ended, or the API key may not use its site.',
    advice: 'Check the id, or the site and the code.',
    retry: 'no',
  },
  'batch-not-found': {
    meaning:
      'There is no such batch, it was deleted when its retention period ended, or the API key may not use its site.',
    advice: 'Check the id. It is in `Location` of the response to the order.',
    retry: 'no',
  },
  'batch-unsettled': {
    meaning: 'The controller may have created the missing vouchers; the service is finding out.',
    advice: 'Repeat the request after `Retry-After` seconds. It then orders what is still missing.',
    retry: 'after-settling',
  },
  'batch-not-resumable': {
    meaning:
      'Another order has taken the place of the batch, it failed more than 24 hours ago, it was deleted, or the address of its e-mails can no longer be read.',
    advice: '`detail` says which. Order what is missing anew.',
    retry: 'no',
  },
  'method-not-allowed': {
    meaning: 'The path exists, but not with this method.',
    advice: 'Use a method that the header `Allow` names.',
    retry: 'no',
  },
  'body-too-slow': {
    meaning: 'The body did not arrive in time. Nothing was done.',
    advice: 'Send the request again, and check the network if it happens often.',
    retry: 'yes',
  },
  'idempotency-key-ended': {
    meaning:
      'The order was fulfilled before, and its vouchers have ended: they were revoked or replaced, or have expired. Only for orders with `replaces` or the header `Gastpass-If-Ended`, and for any order whose voucher was replaced.',
    advice: 'If the message came late or again, do nothing. Use a new Idempotency-Key for a new order.',
    retry: 'no',
  },
  'idempotency-in-progress': {
    meaning: 'The outcome of the first request with this Idempotency-Key is not known yet.',
    advice:
      'Repeat the request unchanged after `Retry-After` seconds. Do not order with another key: there might be two vouchers then.',
    retry: 'after-settling',
  },
  'body-too-large': {
    meaning: 'The body has more than 64 KiB.',
    advice: 'Send a smaller one.',
    retry: 'no',
  },
  'idempotency-key-reused': {
    meaning: 'This Idempotency-Key belongs to an order with another body.',
    advice: 'Use a new key for a new order, and the same body for a repeated one.',
    retry: 'no',
  },
  'rate-limited': {
    meaning: 'The API key has used up its requests of this minute.',
    advice: 'Wait `Retry-After` seconds. The header `RateLimit` says how many requests are left.',
    retry: 'yes',
  },
  'too-many-mails': {
    meaning:
      'With this order, the API key would have ordered more than 500 e-mails in an hour. Nothing was created.',
    advice: 'Repeat the order after `Retry-After` seconds, or order without `email`.',
    retry: 'yes',
  },
  'too-many-slips': {
    meaning:
      'With this order, the API key would have ordered more than 500 slips in an hour. Nothing was created.',
    advice: 'Repeat the order after `Retry-After` seconds, or order without `print`.',
    retry: 'yes',
  },
  'server-error': {
    meaning: 'The service failed unexpectedly.',
    advice:
      'Repeat an order with the same Idempotency-Key. The administrator finds the reason in the log, under `request_id`.',
    retry: 'varies',
  },
  'creation-failed': {
    meaning:
      'The controller did not create the voucher, or it is not known whether it did. `cause` says why.',
    advice: 'Do as `retry` says. If it is `no`, an administrator must look at the site first.',
    retry: 'varies',
  },
  'no-valid-voucher': {
    meaning: 'The controller accepted the order and returned no usable code. A voucher may exist.',
    advice: 'Repeat the order with the same Idempotency-Key.',
    retry: 'after-settling',
  },
  'revocation-failed': {
    meaning: 'The controller did not delete the voucher, so it is still valid. `cause` says why.',
    advice:
      'Repeat the call if `retry` is `yes`. It never does harm. Otherwise an administrator must look at the site first.',
    retry: 'varies',
  },
  'controller-busy': {
    meaning: 'The controller has too much to do. Nothing was changed.',
    advice: 'Repeat the request after `Retry-After` seconds.',
    retry: 'yes',
  },
  'instance-outdated': {
    meaning:
      'An instance of an older release is still running and does not know a part of this order. Nothing was created.',
    advice: 'Repeat the order when the upgrade of all instances is finished.',
    retry: 'yes',
  },
  'database-unavailable': {
    meaning: 'The database of the service cannot be used at the moment.',
    advice: 'Repeat the request after `Retry-After` seconds.',
    retry: 'yes',
  },
  unavailable: {
    meaning: 'The service is overloaded or about to stop.',
    advice: 'Repeat the request after `Retry-After` seconds.',
    retry: 'yes',
  },
};

// English messages for the API documentation page.

import type { ApiDocsMessages } from './api-docs-de.ts';

export const apiDocsEn: ApiDocsMessages = {
  nav: 'API',
  title: 'API for integrators',
  atTheDoor: 'API documentation',
  intro:
    'With the API another program, such as a booking system or a till, creates vouchers for the guest Wi-Fi and lists them. Three small scripts speak JSON over HTTP; a key and the number of a site are all it takes. Every voucher is made on the site’s controller and is valid at once.',
  explore: 'Try it in the browser',
  download: 'OpenAPI document',
  signIn: 'Sign in',
  url: 'Address',
  key: 'Key',
  keyHeaders: 'In one of these headers, never in the address:',
  keyPlace:
    'The key belongs on a server and not into a web page or an app: whoever reads it can use it. Pages of other addresses cannot call the API from a browser.',
  keyFrom: 'Keys are issued by an administrator. “read” is enough for lists, creating needs “write”.',
  keyManage: 'Manage API keys',
  examples: 'Examples',
  examplesIntro:
    'Each creates a voucher and lists those of site 1. The address is right already; the key comes from the environment variable GASTPASS_KEY.',
  copy: 'Copy',
  copyOf: (language) => `Copy the example in ${language}`,
  copied: 'Copied',
  endpoints: 'Endpoints',
  endpointsNote:
    'Paths are relative to the address above. The descriptions are the document’s own, in German.',
  endpoint: 'Endpoint',
  does: 'Purpose',
  send: { query: 'In the address', body: 'In the body, as JSON' },
  field: 'Field',
  type: 'Type',
  required: 'Required',
  yes: 'yes',
  default: (value) => `no, else ${value}`,
  no: 'no',
  meaning: 'Meaning',
  or: 'or',
  upTo: 'to',
  answers: 'Answers',
  status: 'Status',
  answerFields: 'Fields of the answer',
  example: 'Example of an answer',
  habits: 'Good to know',
  idempotency: 'Repeating safely',
  idempotencyText:
    'With the header Idempotency-Key (1 to 255 visible ASCII characters of your choice) creating is safe to repeat: the same key with the same body gets the same answer for 24 hours, and makes one voucher only. While the outcome is open the answer is 409 with Retry-After; with another body it is 422.',
  limits: 'Requests per minute',
  limitsText:
    'A key may have a limit. RateLimit and X-RateLimit-Remaining then say what is left; beyond it the answer is 429 with Retry-After in seconds. The minute begins with the first request.',
  etag: 'Asking for lists cheaply',
  etagText:
    'Lists of vouchers carry an ETag. Sent back as If-None-Match, an unchanged list is answered 304 without a body.',
  trace: 'Asking about a request',
  traceText: 'Every answer carries X-Request-Id. The service’s log has the same number.',
  errorsTitle: 'Errors',
  errorsIntro:
    'Errors are JSON with error and message. The last column says whether another try is worth it.',
  error: 'error',
  again: 'Try again',
  withKey: 'with the same Idempotency-Key',
  afterRetry: 'after Retry-After',
  errors: {
    'site-id-missing': 'Something is missing or not valid; message says what. Also a body that is not JSON.',
    unauthorized: 'No key, a wrong one, or one that was revoked.',
    'scope-missing': 'The key may not do this.',
    'site-not-found': 'There is no such site, or it is not active.',
    'method-not-allowed': 'There is no such method here; Allow names the right ones. Without a message.',
    'idempotency-in-progress': 'The first request with this Idempotency-Key still runs or is being settled.',
    'body-too-large': 'The request is larger than 64 KiB.',
    'idempotency-key-reused': 'This Idempotency-Key belongs to another body.',
    'rate-limited': 'The key’s limit is reached.',
    'server-error':
      'The controller refused, was not reached, or the service had a fault. With the same Idempotency-Key it is safe to repeat.',
    'no-valid-voucher':
      'The controller gave back no usable voucher. Repeat it with the same Idempotency-Key.',
    'database-unavailable': 'The database is not reachable; nothing was created.',
    unavailable:
      'The service is restarting, or the service or the controller is overloaded; nothing was created.',
  },
  exploreTitle: 'Try the API',
  exploreIntro:
    'Enter a key under “Authorize”, then unfold an endpoint and choose “Try it out”. The key stays in this page. Requests are real: a voucher that is created is valid.',
  exploreBack: 'To the description with examples',
  exploreNoScript: 'This part needs JavaScript. The description with all examples does without.',
};

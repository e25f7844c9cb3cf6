// English messages for the API documentation page.

import type { ApiDocsMessages } from './api-docs-texts-de.ts';

export const apiDocsEn: ApiDocsMessages = {
  nav: 'API',
  title: 'API for integrators',
  linkOnLoginPage: 'API documentation',
  intro:
    'With the API, another program such as a booking system or a till can create, find and revoke vouchers for the guest Wi-Fi, one by one or up to 500 at once. It uses JSON over HTTP. All you need is a key and the number of a site. Every voucher is created on the site’s controller and is valid at once.',
  explore: 'Try it in the browser',
  download: 'OpenAPI document',
  contract: 'API with .php addresses',
  contractIntro:
    'The older API with addresses such as vouchers.php. It stays as it is, for those who use it already; its descriptions are in German. Keys, limits and vouchers are the same. New integrations use v1.',
  toV1: 'To the API v1',
  keyElsewhere: 'The key is sent in the same headers as with v1.',
  quickStart: 'First steps with curl',
  login: 'Sign in',
  url: 'Address',
  key: 'Key',
  keyHeaders: 'In one of these headers, never in the address:',
  keyPlace:
    'The key belongs on a server, not in a web page or an app: anyone who can read it can use it. Other websites cannot call the API from a browser.',
  keyFrom:
    'Keys are issued by an administrator. “read” is enough for lists; creating and revoking vouchers needs “write”.',
  keyManage: 'Manage API keys',
  examples: 'Examples',
  examplesIntro:
    'Each example creates a voucher and then lists the vouchers of site 1. The address is already filled in; the key comes from the environment variable GASTPASS_KEY.',
  copy: 'Copy',
  copyOf: (language) => `Copy the example in ${language}`,
  copied: 'Copied',
  endpoints: 'Endpoints',
  endpointsNote: 'Paths are relative to the address above.',
  endpoint: 'Endpoint',
  does: 'Purpose',
  send: {
    path: 'In the path',
    query: 'In the address',
    header: 'As a header',
    body: 'In the body, as JSON',
  },
  extended: 'All fields of',
  problemsHere: 'Possible problems:',
  problems: 'Problems of the API v1',
  problemsIntro:
    'Problems have the form of RFC 9457 (application/problem+json). Programs compare type, which leads to this explanation. Whether it is worth trying again is in retry, and in the header Gastpass-Retry.',
  commonProblems: 'Every call can have:',
  allProblems: 'All problems and what to do',
  field: 'Field',
  type: 'Type',
  required: 'Required',
  yes: 'yes',
  default: (value) => `no, default: ${value}`,
  no: 'no',
  meaning: 'Meaning',
  or: 'or',
  upTo: 'to',
  responses: 'Responses',
  status: 'Status',
  responseFields: 'Fields of the response',
  example: 'Example response',
  habits: 'Good to know',
  idempotency: 'Repeating safely',
  idempotencyText:
    'With the header Idempotency-Key (1 to 255 visible ASCII characters of your choice) a create request is safe to repeat: for 24\u00a0hours, the same key with the same body gets the same response, and only one voucher is created. If that voucher was revoked, was deleted or has expired, the key is free again: the same request creates a new voucher, with the header Idempotency-Key-Freed: true. With replaces and a reference, the new voucher replaces the others of a booking; the key then has a revision, such as booking-17-r2, and is not freed. While the outcome is still open, the response is 409 with Retry-After; with a different body it is 422.',
  mails: 'By e-mail or on paper',
  mailsText:
    'With the field email (for the .php addresses: the header Guest-Email), the service sends the voucher to the guest once it exists. The response does not wait for that. The field language (Guest-Language) sets the language; the default is that of the site. With the field print (Guest-Print), a printer of the site prints the voucher. GET /sites lists the printers. A key can order 500\u00a0e-mails and 500\u00a0slips an hour.',
  limits: 'Requests per minute',
  limitsText:
    'A key may have a limit. RateLimit and X-RateLimit-Remaining then say how many requests are left. Beyond the limit, the response is 429 with Retry-After in seconds. The minute begins with the first request.',
  etag: 'Fetching lists efficiently',
  etagText:
    'Lists of vouchers have an ETag. If you send it as If-None-Match and the list has not changed, the response is 304 without a body.',
  trace: 'Tracing a request',
  traceText: 'Every response has an X-Request-Id. The same number is in the log of the service.',
  errorsTitle: 'Errors',
  errorsIntro:
    'Errors are JSON with error and message. The last column says whether it is worth trying again; in the response, the header Gastpass-Retry says it (no, yes or after-settling).',
  error: 'error',
  again: 'Try again',
  withKey: 'with the same `Idempotency-Key`',
  asHeader: 'as `Gastpass-Retry` says',
  afterRetry: 'after `Retry-After`',
  errors: {
    'site-id-missing': 'A value is missing or invalid, or the body is not JSON; message says what is wrong.',
    unauthorized: 'The key is missing, wrong or revoked.',
    'scope-missing': 'The key does not have this right.',
    'site-not-found': 'There is no such site or voucher, or the site is not active.',
    'method-not-allowed':
      'This method is not supported here; Allow lists those that are. There is no message.',
    'idempotency-in-progress':
      'The first request with this Idempotency-Key is still running or its outcome is being determined.',
    'body-too-slow': 'The request arrived too slowly.',
    'body-too-large': 'The request is larger than 64 KiB.',
    'idempotency-key-reused': 'This Idempotency-Key belongs to another body.',
    'rate-limited': 'The key’s limit is reached.',
    'server-error':
      'The controller refused or could not be reached, or the service had an error. It is safe to repeat the request with the same Idempotency-Key.',
    'no-valid-voucher':
      'The controller returned no usable voucher. Repeat the request with the same Idempotency-Key.',
    'database-unavailable': 'The database cannot be reached; nothing was created.',
    unavailable:
      'The service is restarting, or the service or the controller is overloaded; nothing was created.',
  },
  exploreTitle: 'Try the API',
  exploreIntro:
    'Enter a key under “Authorize”, then open an endpoint and choose “Try it out”. The key stays on this page. The requests are real: every voucher you create is valid.',
  exploreBack: 'To the description with examples',
  exploreNoScript: 'This part needs JavaScript. The description with all examples works without it.',
};

// Faults that send a wrong response: error statuses, HTML pages, invalid JSON. Each response is complete HTTP; faults
// of the connection are in connection-kinds.ts.

import { randomBytes } from 'node:crypto';
import {
  type ConsoleResponse,
  consoleErrorResponse,
  htmlResponse,
  JSON_TYPE,
  redirectResponse,
} from '../http.ts';
import { type Messages, refuse } from './refuse.ts';
import { type FaultEntry, type FaultSettings, isWritten, type Sendable, type Turn } from './turn.ts';

const GARBAGE_BYTES = 512;
const NOT_UTF8 = Buffer.from([0xff, 0xfe, 0x00]);

const trouble = (text: string): Messages => ({
  classic: text,
  integration: { code: 'api.err.simulated', message: text },
  console: text,
});

/** A fault that replaces the response. `isRun`: whether the request is carried out if `written` is not set. */
function instead(
  does: string,
  isRun: boolean,
  make: (turn: Turn, settings: FaultSettings) => Sendable,
): FaultEntry {
  return {
    does,
    async play(turn, settings) {
      if (isWritten(settings, isRun)) turn.run();
      turn.connection.send(make(turn, settings));
    },
  };
}

/** A fault that corrupts the correct response. */
function spoilt(
  does: string,
  spoil: (response: ConsoleResponse, settings: FaultSettings) => ConsoleResponse,
): FaultEntry {
  return {
    does,
    async play(turn, settings) {
      const response = isWritten(settings, true) ? turn.run() : turn.rehearse();
      turn.connection.send(spoil(response, settings));
    },
  };
}

function statusResponse(
  turn: Turn,
  { status = 500, body = 'json', text, retryAfterS }: FaultSettings,
): ConsoleResponse {
  const words = text ?? 'api.err.Simulated';
  const response = {
    json: () => refuse(turn, status, trouble(words)),
    html: () => htmlResponse(status, text ?? `${status} from the proxy`),
    text: () => ({ status, headers: { 'Content-Type': 'text/plain' }, body: words }),
    empty: () => ({ status, headers: {}, body: '' }),
  }[body]();
  if (retryAfterS !== undefined)
    response.headers = { ...response.headers, 'Retry-After': String(retryAfterS) };
  return response;
}

const withBody = (body: string | Buffer): Sendable => ({
  status: 200,
  headers: { 'Content-Type': JSON_TYPE },
  body,
});

export const responseKinds = {
  status: instead(
    'an error status; status, body (json, html, text, empty), text, retryAfterS',
    false,
    statusResponse,
  ),
  restarting: instead('502 and a page, as while the Network application restarts', false, (turn, settings) =>
    statusResponse(turn, { status: 502, body: 'html', ...settings }),
  ),
  html: instead('200 and a page instead of JSON; text', true, (_, { text }) =>
    htmlResponse(200, text ?? 'Welcome'),
  ),
  empty: instead('200 and no body', true, () => withBody('')),
  garbage: instead('200, called JSON, full of random bytes; bytes', true, (_, { bytes = GARBAGE_BYTES }) =>
    withBody(Buffer.concat([NOT_UTF8, randomBytes(bytes)])),
  ),
  'wrong-json': instead(
    '200 and JSON of another shape; text, [] unless told otherwise',
    true,
    (_, { text }) => withBody(text ?? '[]'),
  ),
  'truncated-json': spoilt('the first half of the right answer, as if it were all', (response) => ({
    ...response,
    body: response.body.slice(0, Math.floor(response.body.length / 2)),
  })),
  'trailing-garbage': spoilt('the right answer and more behind it; text', (response, { text }) => ({
    ...response,
    body: `${response.body}${text ?? '<!-- -->'}`,
  })),
  'wrong-content-type': spoilt('the right answer under a wrong name; contentType', (response, settings) => ({
    ...response,
    headers: { ...response.headers, 'Content-Type': settings.contentType ?? 'text/html' },
  })),
  redirect: instead('a redirect to another host; status (302), location', false, (turn, settings) => {
    const { status = 302, location = `https://elsewhere.invalid${turn.request.path}` } = settings;
    return redirectResponse(status, location);
  }),
  'rc-error': instead(
    '200 that says in its body it failed; text is the error code',
    false,
    (turn, { text }) => ({ ...refuse(turn, 400, trouble(text ?? 'api.err.Invalid')), status: 200 }),
  ),
  'wrong-site': instead('the site of the path is unknown all of a sudden', false, (turn) =>
    refuse(turn, turn.route.api === 'integration' ? 404 : 401, {
      classic: 'api.err.NoSiteContext',
      integration: { code: 'api.resource-not-found', message: 'Site not found' },
      console: 'Unauthorized',
    }),
  ),
  'no-permission': instead('403: the account may not do this', false, (turn) =>
    refuse(turn, 403, {
      classic: 'api.err.NoPermission',
      integration: { code: 'api.authorization.forbidden', message: 'Forbidden' },
      console: 'Forbidden',
    }),
  ),
  unauthorized: instead('401 from the console in front, as for a revoked key', false, () =>
    consoleErrorResponse(401, 'Unauthorized'),
  ),
  'rate-limited': instead('429 with Retry-After; retryAfterS (5)', false, (turn, { retryAfterS = 5 }) => {
    const message = 'Rate limit exceeded';
    const code = 'api.rate-limit.exceeded';
    const response = refuse(turn, 429, { classic: code, integration: { code, message }, console: message });
    return { ...response, headers: { ...response.headers, 'Retry-After': String(retryAfterS) } };
  }),
} satisfies Record<string, FaultEntry>;

// Calls the public address as a client does: whether Gastpass answers there, and whether its certificate is valid.
// Sends no credentials, and therefore accepts any certificate.

import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { get as getOverTls } from 'node:https';
import { TLSSocket } from 'node:tls';
import { errorReason } from '../../platform/values/database-error.ts';
import { errorCodeOf } from '../../platform/values/file-error.ts';
import type { AddressResponse, ServedCertificate } from './judge-address.ts';

const PATIENCE_MS = 3_000;
/** The part of a response that is searched for the title of the API. */
const MAX_READ_LENGTH = 1_000;
const TITLE = '"title": "Gastpass API"';
/** Such an address leads to another place for each machine and each container. */
const LOOPBACK = /^(.+\.)?localhost$|^127\.|^\[::1\]$/;

interface Deps {
  basePath: string;
  /** Whether a proxy signs users in: then it may answer instead of Gastpass. */
  hasProxyLogin: boolean;
  patienceMs?: number;
}

/** Undefined if the address is not called. Never rejects. */
export async function callPublicAddress(
  origin: string,
  { basePath, hasProxyLogin, patienceMs = PATIENCE_MS }: Deps,
): Promise<AddressResponse | undefined> {
  // Proxies answer /healthz with 404 and pass on the API, at least.
  const url = new URL(`${origin}${basePath}/openapi.php`);
  if (LOOPBACK.test(url.hostname)) return undefined;
  const signal = AbortSignal.timeout(patienceMs);
  const isOverTls = url.protocol === 'https:';
  const options = { agent: false, rejectUnauthorized: false, signal };
  const request = isOverTls ? getOverTls(url, options) : get(url, options);
  request.on('error', () => {});
  try {
    const [response]: IncomingMessage[] = await once(request, 'response');
    const { statusCode: status = 0, headers, socket } = response ?? {};
    const certificate = socket instanceof TLSSocket ? certificateOf(socket) : undefined;
    const location = status >= 300 && status < 400 && headers?.location;
    if (hasProxyLogin && (location || status === 401 || status === 403))
      return { from: 'proxy login', certificate };
    if (location) return { from: 'redirect', to: URL.parse(location, url.href)?.origin ?? '' };
    return (await startOf(response)).includes(TITLE)
      ? { from: 'gastpass', certificate }
      : { from: 'another program', status, path: url.pathname };
  } catch (error) {
    const isLate = signal.aborted;
    return { from: 'nothing', detail: isLate ? 'timeout' : (errorCodeOf(error) ?? errorReason(error)) };
  } finally {
    request.destroy();
  }
}

function certificateOf(socket: TLSSocket): ServedCertificate {
  const { valid_from, valid_to } = socket.getPeerCertificate();
  const error: unknown = socket.authorizationError;
  return {
    beganAtMs: Date.parse(valid_from),
    endsAtMs: Date.parse(valid_to),
    error: error ? (errorCodeOf(error) ?? String(error)) : undefined,
  };
}

async function startOf(response: IncomingMessage | undefined): Promise<string> {
  let text = '';
  for await (const chunk of response?.setEncoding('utf8') ?? []) {
    text += chunk;
    if (text.length > MAX_READ_LENGTH) break;
  }
  return text;
}

// The HTTP server: finds the script a request is for, runs it, writes its answer and one line of log.
// Bare node:http, because three scripts need no framework and lists should cost little more than bytes.

import { randomBytes } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { DatabaseUnavailable } from '../domain/database-unavailable.ts';
import type { Log } from '../domain/log.ts';
import type { RequestFacts } from '../domain/request-facts.ts';
import { type Handler, type HttpRequest, type HttpResponse, JSON_TYPE, problemResponse } from './handler.ts';
import { makeProxies } from './proxies.ts';
import { CallerGone } from './read-body.ts';
import { ServerRequest } from './server-request.ts';

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const CHECK_TIMEOUTS_EVERY_MS = 1_000;
/** A connection on which nothing moves for so long is closed. */
const SILENCE_MS = 60_000;
/** Longer than what proxies in front usually keep, so that they close first. */
const KEEP_ALIVE_MS = 75_000;
const MAX_CONCURRENT_REQUESTS = 5_000;
const COMMON_HEADERS = ['x-content-type-options', 'nosniff'];

interface Deps {
  /** By path. */
  handlers: Record<string, Handler>;
  /** All other paths; undefined for those it does not know either. */
  handleOther?: (request: HttpRequest, path: string) => Promise<HttpResponse | undefined>;
  log: Log;
  trustedProxies: readonly string[];
  observeRequest: (facts: RequestFacts) => void;
  isDraining: () => boolean;
}

export function makeServer(deps: Deps): Server {
  const { log, observeRequest, isDraining } = deps;
  const handlers = new Map(Object.entries(deps.handlers));
  const proxies = makeProxies(deps.trustedProxies);
  const nextId = makeRequestIds();
  let atOnce = 0;
  const leave = () => {
    atOnce--;
  };

  const options = {
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CHECK_TIMEOUTS_EVERY_MS,
    // A request without Host is answered too; the contract says how.
    requireHostHeader: false,
  };
  const server = createServer(options, (message, response) => {
    const startedAt = performance.now();
    const { path, query } = splitTarget(message.url ?? '/');
    const route = handlers.has(path) ? path : 'unknown';
    const request = new ServerRequest(nextId(), message, { query, proxies });
    const finish = (answer: HttpResponse) => {
      write(response, request, answer);
      // What still waits to be sent takes memory, so it counts until it is read or the connection is gone.
      if (response.socket?.writableLength === 0) leave();
      else response.on('close', leave);
      const { method } = request;
      const { status } = answer;
      observe(request, { method, route, status, durationMs: toHundredths(performance.now() - startedAt) });
    };

    atOnce++;
    const answer = handle(request, path);
    if (!(answer instanceof Promise)) finish(answer);
    else
      answer.then(finish).catch((error) => {
        leave();
        response.destroy();
        if (error instanceof CallerGone) log.info({ requestId: request.id }, error.message);
        else log.error({ requestId: request.id, err: error }, 'an answer could not be written');
      });
  });
  server.timeout = SILENCE_MS;
  server.on('clientError', refuseConnection);
  return server;

  function handle(request: HttpRequest, path: string): HttpResponse | Promise<HttpResponse> {
    const handler = handlers.get(path);
    if ((isDraining() || atOnce > MAX_CONCURRENT_REQUESTS) && !isProbe(path))
      return problemResponse({ kind: 'unavailable' });
    try {
      const answer = handler ? handler(request) : handleOtherPath(request, path);
      return answer instanceof Promise ? answer.catch((error) => handleError(request, error)) : answer;
    } catch (error) {
      return handleError(request, error);
    }
  }

  async function handleOtherPath(request: HttpRequest, path: string): Promise<HttpResponse> {
    return (await deps.handleOther?.(request, path)) ?? problemResponse({ kind: 'path-unknown' });
  }

  function handleError(request: HttpRequest, error: unknown): HttpResponse {
    if (error instanceof CallerGone) throw error;
    log.error({ requestId: request.id, err: error }, 'request failed');
    if (error instanceof DatabaseUnavailable) return problemResponse({ kind: 'database-unavailable' });
    return problemResponse({
      kind: 'server-error',
      text: error instanceof Error ? error.message : String(error),
    });
  }

  function write(
    response: ServerResponse,
    request: HttpRequest,
    { status, headers, body }: HttpResponse,
  ): void {
    const lines = ['x-request-id', request.id, ...COMMON_HEADERS];
    // A 304 has no body, and no length either: that would be taken for the length of what it stands for.
    if (status !== 304)
      lines.push('content-length', String(typeof body === 'string' ? Buffer.byteLength(body) : body.length));
    for (const name in headers) lines.push(name, headers[name] ?? '');
    for (const name in request.responseHeaders) lines.push(name, request.responseHeaders[name] ?? '');
    if (isDraining()) lines.push('connection', 'close');
    response.writeHead(status, lines);
    response.end(body);
  }

  function observe(request: ServerRequest, facts: RequestFacts): void {
    observeRequest(facts);
    const level = levelOf(facts);
    if (!log.isLevelEnabled(level)) return;
    const { id: requestId, keyId } = request;
    log[level]({ requestId, ...facts, keyId, ip: request.clientAddress() }, 'answered');
  }
}

/** Lists are polled; the metrics count them, and a line for each would cost more than the answer. */
function levelOf({ method, status }: RequestFacts): 'debug' | 'info' | 'error' {
  if (status >= 500) return 'error';
  return method === 'GET' && status < 400 ? 'debug' : 'info';
}

/** Unique across restarts and instances, and cheap: a random start and a count. */
function makeRequestIds(): () => string {
  const start = randomBytes(6).toString('hex');
  let count = 0;
  return () => `${start}-${(++count).toString(36)}`;
}

/** `/path?query`, or the absolute form `http://host/path?query`, which is legal too. */
function splitTarget(target: string): { path: string; query: string } {
  const local = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  const mark = local.indexOf('?');
  return mark < 0 ? { path: local, query: '' } : { path: local.slice(0, mark), query: local.slice(mark + 1) };
}

function toHundredths(ms: number): number {
  return Math.round(ms * 100) / 100;
}

function isProbe(path: string): boolean {
  return path === '/healthz' || path === '/readyz';
}

/** What is not even HTTP: answered by hand, since there is no request. */
function refuseConnection(error: Error, socket: Socket): void {
  const status = readStatus('code' in error ? error.code : undefined);
  const body = JSON.stringify({ error: 'invalid_request', message: 'Anfrage nicht lesbar' });
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.write(
    `HTTP/1.1 ${status}\r\ncontent-type: ${JSON_TYPE}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
  // The caller's side is not waited for: it might stay open for ever.
  socket.destroySoon();
}

function readStatus(code: unknown): string {
  if (code === 'HPE_HEADER_OVERFLOW') return '431 Request Header Fields Too Large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return '408 Request Timeout';
  return '400 Bad Request';
}

// The HTTP server: finds the handler for a request, runs it, writes the response and logs one line. The API
// uses node:http without a framework, so that a cached voucher list is returned with almost no overhead. All other
// paths go to the web pages.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '../log/log.ts';
import type { RequestFacts } from '../network/request-facts.ts';
import { textForCallers } from '../values/database-error.ts';
import { DatabaseUnavailable } from '../values/database-unavailable.ts';
import {
  type Area,
  type Handler,
  type HttpRequest,
  type HttpResponse,
  JSON_TYPE,
  type PresentProblem,
  type ServerProblem,
} from './handler.ts';
import { BODY_LIMITS, type BodyLimits, makePendingBodies } from './pending-bodies.ts';
import { makeProxies } from './proxies.ts';
import { CallerGone } from './read-body.ts';
import { makeRefusalLog } from './refusal-log.ts';
import { ServerRequest } from './server-request.ts';

// An import of node:http would also load Node's WebSocket and fetch: 13 MB of memory that the API does not use.
const { createServer } = process.getBuiltinModule('node:http');

const HEADERS_TIMEOUT_MS = 10_000;
const CHECK_TIMEOUTS_EVERY_MS = 1_000;
/** During a request, a connection without traffic for this long is closed. Between requests, KEEP_ALIVE_MS applies. */
const SILENCE_MS = 60_000;
/** Longer than the usual keep-alive time of proxies: no proxy must send a request on a connection that is closing. */
const KEEP_ALIVE_MS = 75_000;
const COMMON_HEADERS = ['x-content-type-options', 'nosniff'];

export interface ServerLimits extends BodyLimits {
  maxConcurrentRequests: number;
}

const SERVER_LIMITS: ServerLimits = { ...BODY_LIMITS, maxConcurrentRequests: 5_000 };

interface Deps {
  /** Keyed by path. */
  handlers: Record<string, Handler>;
  areas?: readonly Area[];
  /** For all paths that are not in an area. */
  presentProblem: PresentProblem;
  /** Handles all paths that are neither in `handlers` nor in `areas`, and writes the response itself. */
  servePage: (message: IncomingMessage, response: ServerResponse, request: HttpRequest) => Promise<void>;
  log: Log;
  trustedProxies: readonly string[];
  /** Called with the IP address of a peer that sends X-Forwarded-For and is not trusted. */
  noteUntrustedProxy?: (ip: string) => void;
  observeRequest: (facts: RequestFacts) => void;
  /** Called before anything is read for a request. */
  noteArrival?: (() => void) | undefined;
  /** Handles a request within the trace of its header `traceparent`. Called only for requests with this header. */
  withTrace?: (header: string | string[], run: () => void) => void;
  /** Whether responses close their connections. */
  isDraining: () => boolean;
  /** Whether all requests except health probes get 503. */
  isRefusing: () => boolean;
  /** Tests set lower limits. */
  limits?: Partial<ServerLimits> | undefined;
}

export function makeServer(deps: Deps): Server {
  const {
    areas = [],
    presentProblem,
    servePage,
    log,
    observeRequest,
    isDraining,
    isRefusing,
    withTrace,
    noteArrival,
  } = deps;
  const handlers = new Map(Object.entries(deps.handlers));
  const proxies = makeProxies(deps.trustedProxies, deps.noteUntrustedProxy);
  const limits = { ...SERVER_LIMITS, ...deps.limits };
  const bodies = makePendingBodies(limits);
  const checkingBodies = setInterval(bodies.check, limits.checkEveryMs).unref();
  const refusals = makeRefusalLog(log);
  const nextId = makeRequestIds();
  let atOnce = 0;
  const leave = () => {
    atOnce--;
  };

  const options = {
    headersTimeout: HEADERS_TIMEOUT_MS,
    // Only headers have a fixed time limit. Bodies may take longer on a slow line; pending-bodies.ts limits them.
    requestTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CHECK_TIMEOUTS_EVERY_MS,
    // By default, Node rejects requests without a Host header. The API contract defines another response to them.
    requireHostHeader: false,
    // Node emits no stream events for a request without a body, which saves time.
    optimizeEmptyRequests: true,
  };
  const server = createServer(options, (message, response) => {
    const { traceparent } = message.headers;
    if (traceparent === undefined || !withTrace) serve(message, response);
    else withTrace(traceparent, () => serve(message, response));
  });
  server.timeout = SILENCE_MS;
  server.on('clientError', refuseConnection);
  server.on('close', () => {
    clearInterval(checkingBodies);
    refusals.close();
  });
  return server;

  function serve(message: IncomingMessage, response: ServerResponse): void {
    const startedAt = performance.now();
    noteArrival?.();
    const { path, query } = splitTarget(message.url ?? '/');
    const request = new ServerRequest(nextId(), message, { query, proxies, bodies });
    const { handler, present } = find(path, request);
    const finish = (status: number) => {
      // An unsent response occupies memory, so its request counts as concurrent until the response has been sent or
      // the connection is closed.
      if (response.destroyed || response.socket?.writableLength === 0) leave();
      else response.once('close', leave);
      request.discardBody();
      const { method, route = handler ? path : 'unknown' } = request;
      observe(request, { method, route, status, durationMs: toHundredths(performance.now() - startedAt) });
    };

    const respond = (finished: HttpResponse) => {
      write(response, request, finished);
      finish(finished.status);
    };
    const giveUp = (error: unknown) => {
      leave();
      response.destroy();
      if (error instanceof CallerGone) log.info({ requestId: request.id }, error.message);
      else log.error({ requestId: request.id, err: error }, 'a response could not be written');
    };

    proxies.reportUntrusted(message);
    atOnce++;
    if (hasTwoHosts(message)) respond(present({ kind: 'unreadable' }, request));
    else if ((isRefusing() || atOnce > limits.maxConcurrentRequests) && !isProbe(path))
      respond(present({ kind: 'unavailable' }, request));
    else if (handler) {
      const handled = handle(handler, request, present);
      if (handled instanceof Promise) handled.then(respond).catch(giveUp);
      else respond(handled);
    } else if (path.startsWith('/')) writePage(message, response, request).then(finish).catch(giveUp);
    else respond(presentProblem({ kind: 'path-unknown' }, request));
  }

  function find(
    path: string,
    request: HttpRequest,
  ): { handler: Handler | undefined; present: PresentProblem } {
    const handler = handlers.get(path);
    const area = handler ? undefined : areas.find((one) => one.includes(path));
    if (!area) return { handler, present: presentProblem };
    return { handler: area.handlerOf(path, request), present: area.presentProblem };
  }

  function handle(
    handler: Handler,
    request: HttpRequest,
    present: PresentProblem,
  ): HttpResponse | Promise<HttpResponse> {
    const fail = (error: unknown) => present(toProblem(request, error), request);
    try {
      const response = handler(request);
      return response instanceof Promise ? response.catch(fail) : response;
    } catch (error) {
      return fail(error);
    }
  }

  /** Returns the status of the response. */
  async function writePage(
    message: IncomingMessage,
    response: ServerResponse,
    request: HttpRequest,
  ): Promise<number> {
    response.setHeader('x-request-id', request.id);
    await servePage(message, response, request);
    if (!response.headersSent) throw new CallerGone('the caller went away before the request was complete');
    return response.statusCode;
  }

  function toProblem(request: HttpRequest, error: unknown): ServerProblem {
    if (error instanceof CallerGone) throw error;
    log.error({ requestId: request.id, err: error }, 'request failed');
    if (error instanceof DatabaseUnavailable) return { kind: 'database-unavailable' };
    // Only a GET request certainly changed nothing.
    const isOpen = request.method !== 'GET';
    return { kind: 'server-error', text: textForCallers(error), isOpen };
  }

  function write(
    response: ServerResponse,
    request: HttpRequest,
    { status, headers, body, noteWritten }: HttpResponse,
  ): void {
    const lines = ['x-request-id', request.id, ...COMMON_HEADERS];
    // A 304 response has no body. A content-length header would be taken for the length of the full response.
    if (status !== 304)
      lines.push('content-length', String(typeof body === 'string' ? Buffer.byteLength(body) : body.length));
    for (const name in headers) lines.push(name, headers[name] ?? '');
    for (const name in request.responseHeaders) lines.push(name, request.responseHeaders[name] ?? '');
    if (isDraining()) lines.push('connection', 'close');
    response.writeHead(status, lines);
    // Only a write tells whether its bytes got out: `finish` is also emitted if the connection broke off.
    if (noteWritten) response.write(body, (error) => noteWritten(!error));
    response.end(noteWritten ? undefined : body);
  }

  function observe(request: ServerRequest, facts: RequestFacts): void {
    observeRequest(facts);
    const level = levelOf(facts, request);
    if (!log.isLevelEnabled(level)) return;
    if (facts.status >= 400 && facts.status < 500 && !refusals.isFirst(facts, callerOf(request))) return;
    const { id: requestId, keyId = request.refusedKeyId, screenId, refusedBecause } = request;
    log[level]({ requestId, ...facts, keyId, screenId, refusedBecause, ip: request.clientIp() }, 'answered');
  }
}

/** Identifies the caller, whose refusals are grouped in the log. */
function callerOf(request: HttpRequest): string {
  return request.keyId ?? request.keyPrefix ?? request.clientIp();
}

/**
 * Successful GET requests are logged at debug level: clients poll lists, the metrics already count these requests, and
 * a log line would cost more than the response.
 */
function levelOf(
  { method, status }: RequestFacts,
  { refusedBecause, isRoutine }: HttpRequest,
): 'debug' | 'info' | 'error' {
  if (status >= 500) return 'error';
  // The flood guard itself logs one line per minute and network.
  if (refusedBecause === 'flood') return 'debug';
  return (method === 'GET' || isRoutine) && status < 400 ? 'debug' : 'info';
}

/** Ids are unique across restarts and instances, and cheap to make: a random prefix and a counter. */
function makeRequestIds(): () => string {
  const start = randomBytes(6).toString('hex');
  let count = 0;
  return () => `${start}-${(++count).toString(36)}`;
}

/** Accepts `/path?query` and the absolute form `http://host/path?query`, which HTTP also allows. */
function splitTarget(target: string): { path: string; query: string } {
  const local = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  const mark = local.indexOf('?');
  return mark < 0 ? { path: local, query: '' } : { path: local.slice(0, mark), query: local.slice(mark + 1) };
}

/** Node keeps the first Host header, but a proxy may have used the second. HTTP requires refusing such a request. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

function toHundredths(ms: number): number {
  return Math.round(ms * 100) / 100;
}

function isProbe(path: string): boolean {
  return path === '/healthz' || path === '/readyz';
}

/** Writes the response to an unreadable request directly to the socket, because Node creates no response object. */
function refuseConnection(error: Error, socket: Socket): void {
  const status = readStatus('code' in error ? error.code : undefined);
  const body = JSON.stringify({ error: 'invalid_request', message: 'Anfrage nicht lesbar' });
  const retry = status.startsWith('408') ? 'yes' : 'no';
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.write(
    `HTTP/1.1 ${status}\r\ncontent-type: ${JSON_TYPE}\r\ncontent-length: ${Buffer.byteLength(body)}\r\ngastpass-retry: ${retry}\r\nconnection: close\r\n\r\n${body}`,
  );
  // Do not wait for the client to close its side: it might never do so.
  socket.destroySoon();
}

function readStatus(code: unknown): string {
  if (code === 'HPE_HEADER_OVERFLOW') return '431 Request Header Fields Too Large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return '408 Request Timeout';
  return '400 Bad Request';
}

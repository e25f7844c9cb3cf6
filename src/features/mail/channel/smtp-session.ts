// One connection to a mail server: connects, logs in, sends at most one mail and says goodbye. Loads the mail library,
// so it is loaded itself only when it is needed.

import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, getCACertificates, type SecureContextOptions } from 'node:tls';
import { promisify } from 'node:util';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { joinSignals } from '../../../platform/concurrency/join-signals.ts';
import {
  FORBIDDEN,
  findLiteralIssue,
  makeGuardedLookup,
} from '../../../platform/network/targets/guarded-lookup.ts';
import { isMailAddress } from '../../../platform/text/mail-address.ts';
import type { MailServer } from '../mail-server.ts';
import type { OutgoingMail } from '../outgoing-mail.ts';
import type { SmtpFailure, SmtpResult } from '../smtp.ts';
import { compose } from './compose.ts';
import { toReplyWords, toServerWords } from './server-words.ts';
import { failure, toFailure, toLibraryError } from './smtp-failure.ts';
import { makeSmtpProgress, type SmtpProgress } from './smtp-progress.ts';

/** No server needs more bytes for all its replies together. */
const MAX_READ_BYTES = 64 * 1024;

export interface SmtpLimits {
  /** For the connection with its TLS handshake, and again for the greeting. */
  greetingMs: number;
  /** For every reply. */
  idleMs: number;
  /** For everything together. */
  wholeMs: number;
  /** For saying goodbye. */
  quitMs: number;
}

interface Session {
  server: MailServer;
  /** Absent for a check. */
  mail?: OutgoingMail | undefined;
  limits: SmtpLimits;
  signal: AbortSignal;
}

/** Never throws. */
export async function runSession(session: Session): Promise<SmtpResult> {
  const { server, mail, limits } = session;
  const message = mail && (await composeOrFail(mail, server));
  if (message && 'ok' in message) return message;

  const progress = makeSmtpProgress();
  using time = limitTime(session.signal, limits.wholeMs);
  try {
    const reply = await converse({ ...session, signal: time.signal }, message, progress);
    return { ok: true, response: toReplyWords(reply, server, mail?.to) };
  } catch (error) {
    return toFailure(toLibraryError(error), session, progress);
  }
}

/** A mail that cannot be written must not keep others from being sent, so it fails on its own. */
async function composeOrFail(mail: OutgoingMail, server: MailServer): Promise<Buffer | SmtpFailure> {
  const failed = { ok: false, status: null, isFinal: true } as const;
  if (!isMailAddress(mail.to)) return { ...failed, phase: 'recipient', text: 'the address is not valid' };
  try {
    return await compose(mail, server.from);
  } catch (error) {
    return { ...failed, phase: 'content', text: toServerWords(String(error), server, mail.to) };
  }
}

async function converse(
  session: Session,
  message: Buffer | undefined,
  progress: SmtpProgress,
): Promise<string> {
  const { server, mail, limits, signal } = session;
  const socket = await openSocket(session, progress);
  const connection = new SMTPConnection({
    connection: socket,
    host: server.host,
    port: server.port,
    name: server.from.address.replace(/^.*@/, ''),
    secure: server.tls === 'implicit',
    secured: server.tls === 'implicit',
    requireTLS: server.tls === 'required',
    ignoreTLS: server.tls === 'off',
    tls: trust(server),
    connectionTimeout: limits.wholeMs,
    greetingTimeout: limits.greetingMs,
    socketTimeout: limits.idleMs,
    logger: progress.logger,
    transactionLog: true,
  });
  using broken = watch(connection, signal);

  async function takeSteps(): Promise<string> {
    await promisify<void>((done) => connection.connect(done))();
    // After STARTTLS, the library has another socket on top of the first one.
    if (connection._socket && connection._socket !== socket) limitReading(connection._socket);
    if (server.credentials) await login(connection, server.credentials, progress);
    if (!mail || !message) return '';
    const envelope = { from: server.from.address, to: [mail.to] };
    const info = await promisify<{ response?: string }>((done) => connection.send(envelope, message, done))();
    return info.response ?? '';
  }

  try {
    const reply = await Promise.race([takeSteps(), broken.promise]);
    await leave(connection, limits.quitMs);
    return reply;
  } catch (error) {
    if (toLibraryError(error).response) await leave(connection, limits.quitMs);
    throw error;
  } finally {
    connection.close();
    // Not the first socket: destroying the one below TLS can crash Node.
    if (connection._socket) connection._socket.destroy();
  }
}

/** The connection is made here and not by the library, so that it is known whether TCP or TLS has failed. */
async function openSocket({ server, limits, signal }: Session, progress: SmtpProgress): Promise<Socket> {
  const { host, port, targets } = server;
  const issue = targets && findLiteralIssue(host, targets);
  if (issue) throw failure(issue, FORBIDDEN);
  const address = { host, port, ...(targets && { lookup: makeGuardedLookup(targets) }) };
  using time = limitTime(signal, limits.greetingMs);
  const isTls = server.tls === 'implicit';
  const socket = isTls
    ? connectTls({ ...address, ...(isIP(host) === 0 && { servername: host }), ...trust(server) })
    : connect(address);
  // Errors are reported by whoever waits. An error that nobody waits for must not end the process.
  socket.on('error', () => {});
  if (isTls) socket.once('connect', () => progress.enter('tls'));
  try {
    await once(socket, isTls ? 'secureConnect' : 'connect', { signal: time.signal });
  } catch (error) {
    socket.destroy();
    throw time.signal.aborted ? time.signal.reason : error;
  }
  progress.enter('connect');
  // The library resumes it.
  limitReading(socket.pause());
  return socket;
}

/** Ends the connection to a server that sends more than any server needs, because the library would keep it all. */
function limitReading(socket: Socket): void {
  let bytes = 0;
  socket.on('data', (chunk) => {
    bytes += chunk.length;
    if (bytes > MAX_READ_BYTES) socket.destroy(failure('the server sends too much', 'EPROTOCOL'));
  });
}

function trust({ ca }: MailServer): SecureContextOptions {
  return ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] };
}

async function login(
  connection: SMTPConnection,
  { username, password }: NonNullable<MailServer['credentials']>,
  progress: SmtpProgress,
): Promise<void> {
  progress.enter('login');
  if (!connection.allowsAuth) throw failure('the server offers no login', 'ENOAUTH');
  await promisify<unknown>((done) =>
    connection.login({ user: username, credentials: { user: username, pass: password } }, done),
  )();
}

/** Rejects as soon as the connection fails or the time is up. */
function watch(connection: SMTPConnection, signal: AbortSignal): Disposable & { promise: Promise<never> } {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = () => reject(signal.reason);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  connection.on('error', reject);
  // The library may close the connection just before it says why.
  connection.on('end', () =>
    setImmediate(reject, failure('the server closed the connection', 'ECONNECTION')),
  );
  return { promise, [Symbol.dispose]: () => signal.removeEventListener('abort', end) };
}

/** Says goodbye. A server that does not close the connection then is not waited for long. */
async function leave(connection: SMTPConnection, limitMs: number): Promise<void> {
  connection.quit();
  connection.close();
  const { _socket: socket } = connection;
  if (!socket || socket.closed) return;
  await once(socket, 'close', { signal: AbortSignal.timeout(limitMs) }).catch(() => {});
}

function limitTime(signal: AbortSignal, limitMs: number): Disposable & { signal: AbortSignal } {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(failure('', 'ETIMEDOUT')), limitMs);
  const joined = joinSignals(signal, over.signal);
  return {
    signal: joined.signal,
    [Symbol.dispose]() {
      clearTimeout(timer);
      joined[Symbol.dispose]();
    },
  };
}

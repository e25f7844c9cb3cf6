// A mail server for tests that keeps what it receives and fails on demand, at any step of a conversation. For a server
// that breaks the protocol see raw-mail-server.ts.

import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';
import { type Session, SMTPServer } from 'smtp-server';
import type { MailServer } from '../../../src/features/mail/mail-server.ts';

/**
 * `content`: instead of taking a mail that was sent completely. `accepted`: after taking it, in place of the reply, so
 * that the sender does not know that the mail has arrived.
 */
export type MailStep = 'connect' | 'login' | 'sender' | 'recipient' | 'content' | 'accepted';

/** The reply with its status, such as `451 4.7.1 Greylisted`. `hang`: no reply. `drop`: the connection is cut. */
export type MailFault = `${number} ${string}` | 'hang' | 'drop';

export interface MailStepFacts {
  /** How many connections there were before this one. */
  connection: number;
  /** From the step `recipient` on. */
  recipient?: string;
}

export type FindMailFault = (step: MailStep, facts: MailStepFacts) => MailFault | undefined;

export interface ReceivedMail {
  envelope: { from: string; to: string[] };
  /** With angle brackets. */
  messageId: string;
  raw: string;
  /** Whether it came through TLS. */
  isSecure: boolean;
  /** The name of the user who logged in. */
  username?: string;
  parse(): Promise<Email>;
}

export interface MailServerOptions {
  /** Any free port by default. */
  port?: number;
  /** Default: `none`. */
  tls?: 'none' | 'starttls' | 'implicit';
  /** As PEM. Necessary with TLS. */
  certificate?: { key: string; cert: string };
  /** If given, mails are taken only after a login with it, also without TLS. */
  credentials?: { username: string; password: string };
  fault?: FindMailFault;
  /** How fast the server reads a mail; as fast as it can by default. */
  bytesPerSecond?: number;
  /** Whether a client may send several commands at once. Default: true. */
  pipelining?: boolean;
}

export interface TestMailServer extends AsyncDisposable {
  port: number;
  /** The settings with which Gastpass sends through this server. */
  settings: MailServer;
  /** Oldest first. */
  mails: ReceivedMail[];
  /** Changes the faults from now on. */
  setFault(fault: FindMailFault | undefined): void;
  /** How many connections are open, how many were at most, and how many there have been. */
  connections: { now(): number; max: number; total: number };
  /** Also cuts all connections. */
  stop(): Promise<void>;
}

const FROM = { name: 'Hotel Löwen', address: 'wlan@hotel.example' };

export async function startMailServer(options: MailServerOptions = {}): Promise<TestMailServer> {
  const { tls = 'none', certificate, credentials, pipelining = true, bytesPerSecond } = options;
  let findFault = options.fault;
  const mails: ReceivedMail[] = [];
  const numbers = new WeakMap<Session, number>();
  const connections = { now: () => server.connections.size, max: 0, total: 0 };

  /** Continues with `next` unless there is a fault. */
  function step(
    name: MailStep,
    session: Session,
    done: (error?: Error | null) => void,
    { recipient, next = () => done() }: { recipient?: string; next?: () => void } = {},
  ): void {
    const connection = numbers.get(session) ?? 0;
    const fault = findFault?.(name, { connection, ...(recipient !== undefined && { recipient }) });
    if (fault === undefined) next();
    else if (fault === 'drop') cut(session);
    else if (fault !== 'hang') done(toError(fault));
  }

  function cut(session?: Session): void {
    // Destroying a socket within a TLS handshake crashes Node.
    for (const { session: open, _socket, _upgrading } of server.connections)
      if ((!session || open === session) && !_upgrading) _socket.destroy();
  }

  const server = new SMTPServer({
    secure: tls === 'implicit',
    ...certificate,
    authOptional: credentials === undefined,
    allowInsecureAuth: true,
    disabledCommands: [...(tls === 'starttls' ? [] : ['STARTTLS']), ...(credentials ? [] : ['AUTH'])],
    disableReverseLookup: true,
    hidePIPELINING: !pipelining,
    closeTimeout: 1,
    onConnect(session, done) {
      numbers.set(session, connections.total++);
      connections.max = Math.max(connections.max, server.connections.size);
      step('connect', session, done);
    },
    onAuth({ username = '', password }, session, done) {
      step('login', session, done, {
        next() {
          if (username !== credentials?.username || password !== credentials.password)
            return done(toError('535 5.7.8 Error: authentication failed'));
          done(null, { user: username });
        },
      });
    },
    onMailFrom: (_address, session, done) => step('sender', session, done),
    onRcptTo: ({ address }, session, done) => step('recipient', session, done, { recipient: address }),
    async onData(content, session, done) {
      const { mailFrom, rcptTo } = session.envelope;
      const to = rcptTo.map(({ address }) => address);
      const recipient = to[0] ?? '';
      const raw = await readAll(content, bytesPerSecond).catch(() => undefined);
      if (raw === undefined) return;
      step('content', session, done, {
        recipient,
        next() {
          mails.push({
            envelope: { from: mailFrom ? mailFrom.address : '', to },
            messageId: /^message-id: *(\S+)/im.exec(raw)?.[1] ?? '',
            raw,
            isSecure: session.secure,
            ...(session.user && { username: session.user }),
            parse: () => PostalMime.parse(raw),
          });
          step('accepted', session, done, { recipient });
        },
      });
    },
  });
  // A connection that the client or a fault cuts is no error of the test.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;

  async function stop(): Promise<void> {
    server.close(() => {});
    // Most clients have said goodbye already.
    for (let waits = 0; server.connections.size > 0 && waits < 20; waits++) await sleep(5);
    cut();
    await sleep(1);
  }

  return {
    port,
    settings: {
      host: 'localhost',
      port,
      tls: ({ none: 'off', starttls: 'required', implicit: 'implicit' } as const)[tls],
      ...(credentials && { credentials }),
      from: FROM,
      perHour: null,
    },
    mails,
    connections,
    setFault(fault) {
      findFault = fault;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function toError(reply: string): Error {
  return Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) });
}

async function readAll(content: Readable, bytesPerSecond?: number): Promise<string> {
  const chunks: Buffer[] = [];
  let pauseMs = 0;
  for await (const chunk of content) {
    chunks.push(chunk);
    pauseMs += bytesPerSecond ? (chunk.length / bytesPerSecond) * 1000 : 0;
    if (pauseMs < 10) continue;
    await sleep(pauseMs);
    pauseMs = 0;
  }
  return Buffer.concat(chunks).toString('latin1');
}

// The part of the package `smtp-server` that the tests use. The package has no types of its own.

declare module 'smtp-server' {
  import type { Server, Socket } from 'node:net';
  import type { Readable } from 'node:stream';

  type Done = (error?: Error | null, result?: unknown) => void;

  export interface Session {
    secure: boolean;
    /** What `onAuth` has returned. */
    user?: string | false;
    envelope: { mailFrom: { address: string } | false; rcptTo: { address: string }[] };
  }

  interface Options {
    secure?: boolean;
    key?: string;
    cert?: string;
    authOptional?: boolean;
    allowInsecureAuth?: boolean;
    disabledCommands?: string[];
    disableReverseLookup?: boolean;
    hidePIPELINING?: boolean;
    closeTimeout?: number;
    onConnect?(session: Session, done: Done): void;
    onAuth?(login: { username?: string; password?: string }, session: Session, done: Done): void;
    onMailFrom?(address: { address: string }, session: Session, done: Done): void;
    onRcptTo?(address: { address: string }, session: Session, done: Done): void;
    onData?(content: Readable, session: Session, done: Done): void;
  }

  export class SMTPServer {
    constructor(options: Options);
    server: Server;
    connections: Set<{ session: Session; _socket: Socket; _upgrading: boolean }>;
    listen(port: number, host: string, done: () => void): void;
    close(done: () => void): void;
    on(event: 'error', listener: (error: Error) => void): this;
  }
}

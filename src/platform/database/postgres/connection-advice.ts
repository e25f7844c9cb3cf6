// Says what to do if no connection to the PostgreSQL server can be made, depending on the error's code or text.

import { DatabaseError } from '../../values/database-error.ts';
import { errorCodeOf } from '../../values/file-error.ts';

/** `pg` throws an error with this message and no code if the server wants a password and DATABASE_URL has none. */
const NO_PASSWORD = /^SASL: .* password must be a/;

const CAUSES: { codes: string[]; text?: RegExp; advice: string }[] = [
  {
    // ENOENT and EACCES are errors of the server's Unix socket.
    codes: ['ECONNREFUSED', 'ENOENT', 'EACCES'],
    advice:
      'start the server (systemctl start postgresql), or correct host and port in DATABASE_URL; a server on another machine must listen there (listen_addresses)',
  },
  {
    codes: ['ENOTFOUND', 'EAI_AGAIN'],
    advice: 'correct the host name in DATABASE_URL, or make it known to this machine (getent hosts NAME)',
  },
  {
    codes: ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
    text: /timeout exceeded when trying to connect|connection timeout/,
    advice:
      'check the host in DATABASE_URL, and the network and firewalls between this machine and the server',
  },
  {
    codes: ['28P01'],
    text: NO_PASSWORD,
    advice:
      'correct user and password in DATABASE_URL, with special characters percent-encoded; \\password in psql sets a new one',
  },
  {
    codes: ['28000'],
    advice:
      'correct the user in DATABASE_URL, or let it in: the role must exist and have login, and pg_hba.conf needs a line for it',
  },
  {
    codes: ['3D000'],
    advice: 'correct the name of the database in DATABASE_URL, or create it as docs/postgresql.md says',
  },
  {
    codes: ['53300'],
    advice:
      'close other connections, raise max_connections or the limit of the role or database, or lower DATABASE_POOL_SIZE',
  },
  {
    codes: ['57P01', '57P02', '57P03', 'ECONNRESET'],
    text: /Connection terminated unexpectedly/,
    advice: 'the server is starting or stopping: wait and try again; its log says more',
  },
  {
    codes: [],
    text: /SSL|certificate/i,
    advice: 'correct sslmode and the certificates in DATABASE_URL as docs/postgresql.md says under "TLS"',
  },
];

/** Returns undefined if the connection is not the problem or the cause is not known. */
export function adviseOnConnection(error: unknown): string | undefined {
  const isOfDatabase = error instanceof DatabaseError;
  const cause = isOfDatabase ? error.cause : error;
  if (!(cause instanceof Error) || !(isOfDatabase || NO_PASSWORD.test(cause.message))) return undefined;
  const code = errorCodeOf(cause) ?? '';
  return CAUSES.find(({ codes, text }) => codes.includes(code) || text?.test(cause.message))?.advice;
}

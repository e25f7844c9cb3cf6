// A request to the web interface as the pages see it: who it is, in which language, with which form.

import type { Doer } from '../domain/audit-log.ts';
import type { House } from '../domain/house.ts';
import type { User } from '../domain/users/user.ts';
import type { WebSession } from '../domain/users/web-session.ts';
import type { Request } from '../http/exchange.ts';
import type { Language } from './language.ts';
import type { Words } from './words/de.ts';

export interface Visit {
  request: Request;
  path: string;
  /** What the route's `:name` stands for. */
  parameters: Record<string, string>;
  query: URLSearchParams;
  /** Of a POST; empty otherwise. */
  form: URLSearchParams;
  /** Of a form that carries one; empty when none was chosen. */
  file?: Buffer;
  language: Language;
  words: Words;
  timeZone: string;
  house: House;
  nowMs: number;
  /** The same time in whole seconds, the unit of vouchers. */
  nowS: number;
  formToken: string;
  session?: WebSession;
  user?: User;
}

/** A visit of somebody who is signed in. */
export type UserVisit = Visit & { session: WebSession; user: User };

/** Who does it, as the audit log names people of the web interface. */
export function auditOf({ user, nowMs, request }: UserVisit): Doer {
  return { actor: `Web: ${user.name}`, atMs: nowMs, address: request.clientAddress() };
}

// A request to the web interface as the pages see it: who it is, in which language, with which form.

import type { AuditContext } from '../../domain/audit/audit-log.ts';
import type { WebSession } from '../../domain/sessions/web-session.ts';
import type { Settings } from '../../domain/settings/settings.ts';
import type { User } from '../../domain/users/user.ts';
import type { HttpRequest } from '../../http/handler.ts';
import type { Messages } from '../i18n/de.ts';
import type { Language } from '../i18n/language.ts';

export interface PageContext {
  request: HttpRequest;
  path: string;
  /** What the route's `:name` stands for. */
  parameters: Record<string, string>;
  query: URLSearchParams;
  /** Of a POST; empty otherwise. */
  form: URLSearchParams;
  /** Of a form that carries one; empty when none was chosen. */
  file?: Buffer;
  language: Language;
  messages: Messages;
  timeZone: string;
  settings: Settings;
  nowMs: number;
  /** The same time in whole seconds, the unit of vouchers. */
  nowS: number;
  formToken: string;
  session?: WebSession;
  user?: User;
}

/** A visit of somebody who is signed in. */
export type AuthenticatedContext = PageContext & { session: WebSession; user: User };

/** Who does it, as the audit log names people of the web interface. */
export function auditContextOf({ user, nowMs, request }: AuthenticatedContext): AuditContext {
  return { actor: `Web: ${user.name}`, atMs: nowMs, address: request.clientAddress() };
}

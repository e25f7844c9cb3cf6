// What a page handler receives: the request, the signed-in user, the language, the settings and the submitted form.

import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { App } from '../../app/app.ts';
import type { RequestBadge } from '../../features/requests/guest-request.ts';
import type { Screen } from '../../features/screens/screen.ts';
import type { HttpRequest } from '../../platform/http/handler.ts';
import type { Language } from '../../platform/text/language.ts';
import { userActor } from '../audit/actor.ts';
import type { AuditContext } from '../audit/audit-log.ts';
import type { WebSession } from '../sessions/web-session.ts';
import type { Settings } from '../settings/settings.ts';
import type { Site } from '../sites/site.ts';
import type { Messages } from '../texts/messages-de.ts';
import type { User } from '../users/user.ts';
import type { Theme } from './theme.ts';

/** Handles a request inside the service as if a browser had sent it. */
type FetchPage = (request: Request, env: PageEnv['Bindings']) => Response | Promise<Response>;

export interface PageEnv {
  Bindings: HttpBindings & { app: App; request: HttpRequest; fetchPage: FetchPage };
  /** `settings` are those that a middleware has already read for this request. */
  Variables: { context: PageContext; settings?: Settings | undefined };
}

export interface PageContext {
  app: App;
  /** Hono's context, which builds the response. */
  hono: Context<PageEnv>;
  request: HttpRequest;
  path: string;
  /** The values of the route's `:name` segments. */
  parameters: Record<string, string>;
  query: URLSearchParams;
  /** The submitted fields of a POST; empty for other methods. */
  form: URLSearchParams;
  /** The uploaded file of a multipart form; an empty buffer if the user chose no file. */
  file?: Buffer;
  language: Language;
  theme: Theme;
  messages: Messages;
  timeZone: string;
  settings: Settings;
  /** The public address without a slash at the end, wherever it is set. Undefined if it is not set. */
  publicUrl: string | undefined;
  nowMs: number;
  /** `nowMs` in whole seconds, the unit of voucher times. */
  nowS: number;
  formToken: string;
  /** The number of problems that administrators see in the menu. Always 0 for other users. */
  problemCount: number;
  /** What the menu of a signed-in user shows of guests' requests. */
  requestBadge?: RequestBadge;
  session?: WebSession;
  user?: User;
  /** Set on the paths of screens, for a device that is paired. There is no user then. */
  screen?: Screen;
  site?: Site;
}

/** The context of a request with a signed-in user. */
export type AuthenticatedContext = PageContext & { session: WebSession; user: User };

/** The context of a request of a paired device. The form token is derived from its cookie. */
export type ScreenContext = PageContext & { screen: Screen; site: Site };

/** The user, the time and the IP address for an audit entry about an action in the web interface. */
export function auditContextOf({ user, nowMs, request }: AuthenticatedContext): AuditContext {
  return { actor: userActor(user), atMs: nowMs, ip: request.clientIp() };
}

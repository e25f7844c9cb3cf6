// What a page handler receives: the request, the signed-in user, the language, the settings and the submitted form.

import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { HttpRequest } from '../../platform/http/handler.ts';
import type { Html } from '../../platform/pages/ui/html.ts';
import type { IconName } from '../../platform/pages/ui/icons.ts';
import type { Language } from '../../platform/text/language.ts';
import { userActor } from '../audit/actor.ts';
import type { AuditDetails } from '../audit/audit-details.ts';
import type { AuditContext } from '../audit/audit-log.ts';
import type { WebSession } from '../sessions/web-session.ts';
import type { Settings } from '../settings/settings.ts';
import type { Site } from '../sites/site.ts';
import type { Messages } from '../texts/messages-de.ts';
import type { User } from '../users/user.ts';
import type { App } from './app.ts';
import type { Theme } from './theme.ts';

/** Handles a request inside the service as if a browser had sent it. */
type FetchPage = (request: Request, env: PageEnv['Bindings']) => Response | Promise<Response>;

export interface PageEnv {
  Bindings: HttpBindings & {
    app: App;
    slots: readonly PageSlots[];
    request: HttpRequest;
    fetchPage: FetchPage;
  };
  /** `settings` are those that a middleware has already read for this request. */
  Variables: { context: PageContext; settings?: Settings | undefined };
}

/** A feature may add members by declaration merging. */
export interface PageContext {
  app: App;
  /** What features add to pages of the kernel, in the order of the features. */
  slots: readonly PageSlots[];
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
  session?: WebSession;
  user?: User;
  /** The start page of the device that sends the request, if it is known by itself. There is no user then. */
  deviceHome?: string;
}

/** The context of a request with a signed-in user. */
export type AuthenticatedContext = PageContext & { session: WebSession; user: User };

/** What a feature adds to pages of the kernel. */
export interface PageSlots {
  menu?: readonly MenuEntry[];
  /** Reads what every page of a signed-in user needs. */
  readForUser?(context: AuthenticatedContext): Promise<Partial<PageContext>>;
  settingsCard?(context: AuthenticatedContext): Html;
  /** The things that audit entries of the feature name. */
  auditedThings?(context: PageContext): Promise<AuditedThing[]>;
  /** Shown below the login. */
  loginLink?(context: PageContext): Html | false;
  /** At most one feature has it. */
  loginProvider?: LoginProvider;
  /** A card on the page of a user. */
  userCard?(context: AuthenticatedContext, user: User): Promise<Html>;
  /** A link on the page of a site, to what the feature has of the site. */
  siteLink?(context: AuthenticatedContext, site: Site): Html;
  /** @param issues the error texts of a submitted form, by the name of the field */
  siteCard?(context: AuthenticatedContext, site: Site, issues: Record<string, string>): Promise<Html>;
}

/** Sign-in at an identity provider. */
export interface LoginProvider {
  /** Sends the user to the provider; with the parameter `again=1` even a user who is signed in there. */
  path: string;
  /** Undefined if no provider is set up. */
  findOffer(context: PageContext): Promise<OfferedProvider | undefined>;
  /** False if the session must be treated as ended. The check may also change the rights of the user. */
  checkSession(
    app: App,
    found: { session: WebSession; user: User },
    request: { ip: string; requestId: string },
  ): Promise<boolean>;
  /** Ends the session, and returns the URL that ends the user's session at the provider, if there is one. */
  logout(context: AuthenticatedContext, endSession: () => Promise<void>): Promise<string | undefined>;
  /** The page that leads to this URL. */
  showLogout(context: AuthenticatedContext, url: string): Response;
}

/** What the login page offers. */
export interface OfferedProvider {
  /** The text of the button. */
  label: string;
  hidesPasswordForm: boolean;
}

export interface AuditedThing {
  /** The member of the details that names the thing. */
  noun: keyof AuditDetails;
  id: string;
  /** Shown if the audit entry has no name. */
  name: string;
  /** The page of the thing. */
  href: string;
}

export interface MenuEntry {
  for: 'everybody' | 'admins';
  /** The path of the item that follows. Without it, the item comes last. */
  before?: string;
  /** Undefined if the user does not need the item. */
  item(context: PageContext): MenuItem | undefined;
}

export interface MenuItem {
  href: string;
  label: string;
  shape: IconName;
  badge?: Html;
  /** True if a script fetches the badge again. */
  isFetched?: boolean;
}

export function loginProviderOf({ slots }: Pick<PageContext, 'slots'>): LoginProvider | undefined {
  return slots.find(({ loginProvider }) => loginProvider)?.loginProvider;
}

/** The user, the time and the IP address for an audit entry about an action in the web interface. */
export function auditContextOf({ user, nowMs, request }: AuthenticatedContext): AuditContext {
  return { actor: userActor(user), atMs: nowMs, ip: request.clientIp() };
}

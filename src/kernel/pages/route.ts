// A route of the web interface: its path, who may use it, and the function that makes the page.

import type { AuthenticatedContext, PageContext } from './context.ts';

interface RoutePath {
  method: 'GET' | 'POST';
  /** A segment that begins with a colon matches any value: `/batches/:id`. */
  path: string;
  /** The path of the page with the form. Only needed if it is not the nearest page at or above `path`. */
  formAt?: string;
  /** Set if the form uploads an image. Its body may then exceed the usual size limit. */
  takesFile?: true;
  /** Set if the page itself ensures that its form with a one-time token takes effect once. */
  checksOneTimeToken?: true;
}

/** `reader` means anyone, unless the settings restrict the API documentation to signed-in users. */
type OpenPermission = 'anyone' | 'reader';

/** `newcomer` means any signed-in user, even one who has not yet set up a required second factor. */
type UserPermission = 'newcomer' | 'operator' | 'admin';

/**
 * Paths of devices that are known by themselves, such as by a cookie. No user, session or API key counts here. A form
 * may come without a token: the cookie must never be sent with a form of another website, and the origin is checked.
 */
export interface DeviceArea {
  /** The start page of a device. All paths of the area are below it. */
  path: string;
  /** Adds the device, if it is known, to the context of a request. */
  identify(context: PageContext): Promise<PageContext>;
  /** The page that a device shows instead, and that leads back by itself. */
  problem(context: PageContext, status: 400 | 500 | 503): Response;
}

/** With `recentPassword`, a user who has not entered the password in the last minutes is asked for it first. */
interface Guarded {
  recentPassword?: true;
}

/** The required access is part of the route type, so that no route can omit the check. */
export type Route =
  | (RoutePath & { permission: OpenPermission; run(context: PageContext): Promise<Response> | Response })
  | (RoutePath & {
      permission: 'device';
      area: DeviceArea;
      run(context: PageContext): Promise<Response> | Response;
    })
  | (RoutePath &
      Guarded & {
        permission: UserPermission;
        run(context: AuthenticatedContext): Promise<Response> | Response;
      });

type AdminPage = (context: AuthenticatedContext) => Promise<Response> | Response;

/**
 * Makes routes below `base` that only administrators may use. For `post`, the password must have been entered lately.
 */
export function adminRoutes(base: string) {
  const permission = 'admin' as const;
  return {
    get: (path: string, run: AdminPage): Route => ({ method: 'GET', path: base + path, permission, run }),
    post: (path: string, run: AdminPage): Route => ({
      method: 'POST',
      path: base + path,
      permission,
      recentPassword: true,
      run,
    }),
  };
}

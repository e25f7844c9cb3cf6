// The type of a route, and the lookup of routes by path.

import type { HttpResponse } from '../../http/handler.ts';
import type { AuthenticatedContext, PageContext } from './context.ts';

interface Place {
  method: 'GET' | 'POST';
  /** A segment that begins with a colon matches any value: `/batches/:id`. */
  path: string;
  /** The form uploads an image. Only such a route accepts multipart forms and bodies above the usual size limit. */
  takesFile?: true;
}

/** `reader`: anyone, unless the settings restrict the API documentation to signed-in users. */
export type OpenAccess = 'anyone' | 'reader';

/** `newcomer`: a signed-in user who may still have to set up a required second factor. */
export type InnerAccess = 'newcomer' | 'operator' | 'admin';

/** The required access is part of the route type, so that no route can omit the check. */
export type Route =
  | (Place & { access: OpenAccess; run(context: PageContext): Promise<HttpResponse> | HttpResponse })
  | (Place & {
      access: InnerAccess;
      run(context: AuthenticatedContext): Promise<HttpResponse> | HttpResponse;
    });

export interface Match {
  route: Route;
  parameters: Record<string, string>;
}

/** All routes that match the path, with any method. */
export function findRoutes(routes: Route[], path: string): Match[] {
  const parts = path.split('/');
  return routes.flatMap((route) => {
    const parameters = matchParts(route.path.split('/'), parts);
    return parameters ? [{ route, parameters }] : [];
  });
}

function matchParts(pattern: string[], parts: string[]): Record<string, string> | undefined {
  if (pattern.length !== parts.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const part = parts[index] ?? '';
    if (expected.startsWith(':')) parameters[expected.slice(1)] = part;
    else if (expected !== part) return undefined;
  }
  return parameters;
}

// What a route is, and how a path finds its route.

import type { HttpResponse } from '../../http/handler.ts';
import type { AuthenticatedContext, PageContext } from './context.ts';

interface Place {
  method: 'GET' | 'POST';
  /** Parts that begin with a colon stand for anything: `/batches/:id`. */
  path: string;
  /** Its form carries a picture: only then may a body be larger than others, and in parts. */
  takesFile?: true;
}

/** A reader is anyone, unless this house shows its page for integrators only to those who are signed in. */
export type OpenAccess = 'anyone' | 'reader';

/** A newcomer is signed in, and may yet have to set up the second factor that is required of them. */
export type InnerAccess = 'newcomer' | 'operator' | 'admin';

/** Who may come in is part of the route, so that none can forget to ask. */
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

/** All routes of this path, whatever their method. */
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

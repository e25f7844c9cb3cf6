// What a route is, and how a path finds its route.

import type { Answer } from '../http/exchange.ts';
import type { UserVisit, Visit } from './visit.ts';

interface Place {
  method: 'GET' | 'POST';
  /** Parts that begin with a colon stand for anything: `/batches/:id`. */
  path: string;
}

/** Who may come in is part of the route, so that none can forget to ask. */
export type Route =
  | (Place & { access: 'anyone'; run(visit: Visit): Promise<Answer> | Answer })
  | (Place & { access: 'operator' | 'admin'; run(visit: UserVisit): Promise<Answer> | Answer });

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

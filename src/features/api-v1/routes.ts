// Finds the route of a path. A route is a pattern such as `/vouchers/{id}`; the log and the metrics name the pattern,
// so that their number stays small, whatever paths clients send.

import type { Handler, HttpRequest } from '../../platform/http/handler.ts';

interface Route {
  pattern: string;
  parts: string[];
  handler: Handler;
}

/** `prefix`: the path that all routes begin with, such as `/api/v1`. */
export function makeRouter(prefix: string, handlers: Record<string, Handler>, unknown: Handler) {
  const routes = Object.entries(handlers).map(
    ([pattern, handler]): Route => ({
      pattern: prefix + pattern,
      parts: pattern.slice(1).split('/'),
      handler,
    }),
  );

  return {
    includes: (path: string) => path.startsWith(prefix) && (path[prefix.length] ?? '/') === '/',

    handlerOf(path: string, request: Pick<HttpRequest, 'route' | 'parameters'>): Handler {
      const parts = path.slice(prefix.length + 1).split('/');
      for (const { pattern, parts: wanted, handler } of routes) {
        const parameters = match(wanted, parts);
        if (!parameters) continue;
        request.route = pattern;
        request.parameters = parameters;
        return handler;
      }
      request.route = `${prefix}/unknown`;
      return unknown;
    },
  };
}

/** The decoded parts for the placeholders, or undefined if the path does not match. */
function match(wanted: string[], parts: string[]): string[] | undefined {
  if (parts.length !== wanted.length) return undefined;
  const parameters: string[] = [];
  for (const [index, part] of parts.entries()) {
    if (!wanted[index]?.startsWith('{')) {
      if (part !== wanted[index]) return undefined;
      continue;
    }
    const parameter = decodePart(part);
    if (!parameter) return undefined;
    parameters.push(parameter);
  }
  return parameters;
}

function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

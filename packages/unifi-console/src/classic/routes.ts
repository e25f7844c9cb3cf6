// Routes of the classic Network API. The UniFi OS prefix `/proxy/network` is removed from a path before it is passed to
// these routes.

import type { ConsoleState } from '../console-state.ts';
import type { ConsoleResponse, Operation, Route, SimulatedRequest } from '../http.ts';
import type { PermissionCheck } from '../permission-check.ts';
import type { Envelope } from './envelope.ts';
import { presentSite } from './present.ts';
import { readArguments } from './read-arguments.ts';
import { makeSiteResources } from './site-resources.ts';

interface Deps {
  state: ConsoleState;
  permissionCheck: PermissionCheck;
  envelope: Envelope;
}

export type FindRoute = (request: SimulatedRequest, path: string) => Route;

export function makeClassicRoutes({ state, permissionCheck, envelope }: Deps): FindRoute {
  const { allSites, flavour, username } = state;
  const resources = makeSiteResources(state, envelope);
  const route = (operation: Operation, respond: () => ConsoleResponse): Route => ({
    operation,
    api: 'classic',
    respond,
  });

  /** On UniFi OS, a response within a session contains the CSRF token, from which clients learn the current token. */
  function admitted(request: SimulatedRequest, work: () => ConsoleResponse): ConsoleResponse {
    const entry = permissionCheck.admitToNetwork(request);
    if (!entry.ok) return entry.problem;
    const response = work();
    if (flavour === 'unifi-os' && entry.value)
      response.headers = { ...response.headers, 'X-CSRF-Token': entry.value.csrfToken };
    return response;
  }

  const showStatus = () =>
    envelope.ok([], { up: true, server_version: state.version(), uuid: state.controllerUuid });
  const showSelf = () => envelope.ok([{ name: username, email: '', is_super: true, site_role: 'admin' }]);
  const listSites = () => envelope.ok(allSites.map((site) => presentSite(site, flavour)));

  const listSitesWithHealth = () =>
    envelope.ok(allSites.map((site) => ({ ...presentSite(site, flavour), health: [], num_new_alarms: 0 })));

  /** Always responds with ok, as UniFi does: a client without a session is already logged out. */
  function leave(request: SimulatedRequest): ConsoleResponse {
    const entry = permissionCheck.admitToNetwork(request);
    if (entry.ok && entry.value) state.sessions.close(entry.value);
    return envelope.ok([]);
  }

  function findSiteRoute(request: SimulatedRequest, siteName: string, resource: string): Route {
    const body = readArguments(request);
    const isCommand = resource.startsWith('cmd/');
    const key = isCommand ? `${resource} ${body?.cmd}` : resource;
    const found = Object.hasOwn(resources, key) ? resources[key] : undefined;
    return route(found?.operation ?? 'unknown', () =>
      admitted(request, () => {
        const site = state.findSite(siteName);
        if (!site) return envelope.refuse(401, 'api.err.NoSiteContext');
        if (!body) return envelope.refuse(400, 'api.err.InvalidPayload');
        if (!found) return envelope.refuse(400, isCommand ? 'api.err.InvalidArgs' : 'api.err.InvalidObject');
        if (isCommand && request.method !== 'POST') return envelope.refuse(404, 'api.err.NotFound');
        return found.respond(site, { ...Object.fromEntries(request.query), ...body });
      }),
    );
  }

  return (request, path) => {
    if (path === '/status') return route('status', showStatus);
    if (path === '/api/self') return route('self', () => admitted(request, showSelf));
    if (path === '/api/self/sites') return route('sites', () => admitted(request, listSites));
    if (path === '/api/stat/sites') return route('sites', () => admitted(request, listSitesWithHealth));
    if (path === '/api/logout') return route('logout', () => leave(request));
    const [, siteName, resource] = /^\/api\/s\/([^/]+)\/(.+)$/.exec(path) ?? [];
    if (siteName !== undefined && resource !== undefined) return findSiteRoute(request, siteName, resource);
    // A path without a site is refused like a path with an unknown site.
    if (path === '/api/s' || path.startsWith('/api/s/')) {
      const refuse = () => envelope.refuse(401, 'api.err.NoSiteContext');
      return route('unknown', () => admitted(request, refuse));
    }
    return route('unknown', () => envelope.refuse(404, 'api.err.NotFound'));
  };
}

// The top-level routes of a simulated controller, for both flavours. The flavours differ in these routes and in their
// logins. Apart from that, both run the same Network application.

import { makeEnvelope } from './classic/envelope.ts';
import { type FindRoute, makeClassicRoutes } from './classic/routes.ts';
import type { ConsoleState } from './console-state.ts';
import {
  type ConsoleResponse,
  consoleErrorResponse,
  htmlResponse,
  jsonResponse,
  type Operation,
  type Route,
  redirectResponse,
  type SimulatedRequest,
} from './http.ts';
import { makeIntegrationRoutes } from './integration/routes.ts';
import { type Login, makeLogin } from './login.ts';
import { makePermissionCheck, type PermissionCheck } from './permission-check.ts';

const NETWORK_PREFIX = '/proxy/network';
const INTEGRATION_PREFIX = '/integration/';

interface Deps {
  state: ConsoleState;
  permissionCheck: PermissionCheck;
  login: Login;
  findClassic: FindRoute;
}

export function makeRoutes(state: ConsoleState): (request: SimulatedRequest) => Route {
  const envelope = makeEnvelope(state.switches);
  const permissionCheck = makePermissionCheck(state, envelope);
  const login = makeLogin(state, envelope);
  const findClassic = makeClassicRoutes({ state, permissionCheck, envelope });
  const deps = { state, permissionCheck: permissionCheck, login, findClassic };
  return state.flavour === 'unifi-os' ? makeUnifiOsRoutes(deps) : makeClassicServerRoutes(deps);
}

const routeOf = (operation: Operation, respond: () => ConsoleResponse): Route => ({
  operation,
  api: 'console',
  respond,
});

/** Both flavours ignore one slash at the end of a classic path. */
const withoutSlash = (path: string) => path.replace(/(?<=.)\/$/, '');

function makeClassicServerRoutes({ state, permissionCheck, login, findClassic }: Deps) {
  function leave(request: SimulatedRequest): ConsoleResponse {
    const entry = permissionCheck.admitToNetwork(request);
    if (entry.ok && entry.value) state.sessions.close(entry.value);
    return redirectResponse(302, '/manage');
  }

  return (request: SimulatedRequest): Route => {
    const { method } = request;
    const path = withoutSlash(request.path);
    if (path === '/') return routeOf('probe', () => redirectResponse(302, '/manage'));
    if (path === '/manage') return routeOf('probe', () => htmlResponse(200, 'UniFi Network'));
    if (path === '/api/login' && method === 'POST')
      return { ...routeOf('login', () => login.onClassic(request)), api: 'classic' };
    if (path === '/logout') return routeOf('logout', () => leave(request));
    // The classic server has neither the official API nor the paths of a UniFi OS console.
    if (path === '/status' || (path.startsWith('/api/') && !path.startsWith('/api/auth/')))
      return findClassic(request, path);
    return routeOf('unknown', () => htmlResponse(404, 'Not Found'));
  };
}

function makeUnifiOsRoutes({ state, permissionCheck, login, findClassic }: Deps) {
  const findIntegration = makeIntegrationRoutes(state, permissionCheck);

  function showUser(request: SimulatedRequest): ConsoleResponse {
    const entry = permissionCheck.admitToConsole(request);
    if (!entry.ok) return entry.problem;
    return jsonResponse(200, login.user, { 'X-CSRF-Token': entry.value.csrfToken });
  }

  function leave(request: SimulatedRequest): ConsoleResponse {
    const entry = permissionCheck.admitToConsole(request);
    if (!entry.ok) return entry.problem;
    state.sessions.close(entry.value);
    return jsonResponse(200, { success: true });
  }

  return (request: SimulatedRequest): Route => {
    const { method, path } = request;
    if (path === '/' || path === '/manage') return routeOf('probe', () => htmlResponse(200, 'UniFi OS'));
    if (path === '/api/auth/login' && method === 'POST')
      return routeOf('login', () => login.onUnifiOs(request));
    if (path === '/api/auth/logout' && method === 'POST') return routeOf('logout', () => leave(request));
    if (path === '/api/users/self') return routeOf('self', () => showUser(request));
    if (path.startsWith(`${NETWORK_PREFIX}/`)) {
      const below = path.slice(NETWORK_PREFIX.length);
      return below.startsWith(INTEGRATION_PREFIX)
        ? findIntegration(request, below)
        : findClassic(request, withoutSlash(below));
    }
    // The paths of the classic server are unknown here. A console answers every unknown API path with 401.
    if (path.startsWith('/api/')) return routeOf('unknown', () => consoleErrorResponse(401, 'Unauthorized'));
    return routeOf('unknown', () => htmlResponse(404, 'Not Found'));
  };
}

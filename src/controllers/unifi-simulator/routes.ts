// The front door of a simulated controller: what answers at which path, for both flavours. The two flavours
// differ here and in their logins; behind the prefix they are the same Network application.

import { makeEnvelope } from './classic/envelope.ts';
import { type FindRoute, makeClassicRoutes } from './classic/routes.ts';
import {
  type Answer,
  answerConsoleError,
  answerHtml,
  answerJson,
  answerRedirect,
  type Operation,
  type Route,
  type SimulatedRequest,
} from './exchange.ts';
import { type Gate, makeGate } from './gate.ts';
import { makeIntegrationRoutes } from './integration/routes.ts';
import { type Login, makeLogin } from './login.ts';
import type { SimulatedConsole } from './simulated-console.ts';

const NETWORK_PREFIX = '/proxy/network';
const INTEGRATION_PREFIX = '/integration/';

interface Needs {
  simulated: SimulatedConsole;
  gate: Gate;
  login: Login;
  findClassic: FindRoute;
}

export function makeRoutes(simulated: SimulatedConsole): (request: SimulatedRequest) => Route {
  const envelope = makeEnvelope(simulated.switches);
  const gate = makeGate(simulated, envelope);
  const login = makeLogin(simulated, envelope);
  const findClassic = makeClassicRoutes({ simulated, gate, envelope });
  const needs = { simulated, gate, login, findClassic };
  return simulated.flavour === 'unifi-os' ? makeUnifiOsRoutes(needs) : makeClassicServerRoutes(needs);
}

const routeOf = (operation: Operation, answer: () => Answer): Route => ({
  operation,
  api: 'console',
  answer,
});

function makeClassicServerRoutes({ simulated, gate, login, findClassic }: Needs) {
  function leave(request: SimulatedRequest): Answer {
    const entry = gate.admitToNetwork(request);
    if (entry.ok && entry.value) simulated.sessions.close(entry.value);
    return answerRedirect(302, '/manage');
  }

  return (request: SimulatedRequest): Route => {
    const { method, path } = request;
    if (path === '/') return routeOf('probe', () => answerRedirect(302, '/manage'));
    if (path === '/manage') return routeOf('probe', () => answerHtml(200, 'UniFi Network'));
    if (path === '/api/login' && method === 'POST')
      return { ...routeOf('login', () => login.onClassic(request)), api: 'classic' };
    if (path === '/logout') return routeOf('logout', () => leave(request));
    // No official API and no other console paths here: both are unknown to this server.
    if (path === '/status' || (path.startsWith('/api/') && !path.startsWith('/api/auth/')))
      return findClassic(request, path);
    return routeOf('unknown', () => answerHtml(404, 'Not Found'));
  };
}

function makeUnifiOsRoutes({ simulated, gate, login, findClassic }: Needs) {
  const findIntegration = makeIntegrationRoutes(simulated, gate);

  function showUser(request: SimulatedRequest): Answer {
    const entry = gate.admitToConsole(request);
    if (!entry.ok) return entry.problem;
    return answerJson(200, login.user, { 'X-CSRF-Token': entry.value.csrfToken });
  }

  function leave(request: SimulatedRequest): Answer {
    const entry = gate.admitToConsole(request);
    if (!entry.ok) return entry.problem;
    simulated.sessions.close(entry.value);
    return answerJson(200, { success: true });
  }

  return (request: SimulatedRequest): Route => {
    const { method, path } = request;
    if (path === '/' || path === '/manage') return routeOf('probe', () => answerHtml(200, 'UniFi OS'));
    if (path === '/api/auth/login' && method === 'POST')
      return routeOf('login', () => login.onUnifiOs(request));
    if (path === '/api/auth/logout' && method === 'POST') return routeOf('logout', () => leave(request));
    if (path === '/api/users/self') return routeOf('self', () => showUser(request));
    if (path.startsWith(`${NETWORK_PREFIX}/`)) {
      const below = path.slice(NETWORK_PREFIX.length);
      return below.startsWith(INTEGRATION_PREFIX)
        ? findIntegration(request, below)
        : findClassic(request, below);
    }
    // The classic server's paths included: the console asks for a login of its own first.
    if (path.startsWith('/api/')) return routeOf('unknown', () => answerConsoleError(401, 'Unauthorized'));
    return routeOf('unknown', () => answerHtml(404, 'Not Found'));
  };
}

// The control API: controls.ts over HTTP, under `/_simulator`, for use with curl and for tests in other languages.
// These paths exist on no real controller, need no API key and no login, and are not affected by faults.

import type { Controls, Filling } from './controls.ts';
import { FAULT_KINDS, faultKinds } from './faults/fault-list.ts';
import { readFault } from './faults/read-fault.ts';
import {
  type ConsoleResponse,
  type Fields,
  jsonResponse,
  parseFields,
  type SimulatedRequest,
} from './http.ts';
import type { Switches } from './options.ts';

const ROOT = '/_simulator';

export function isControlPath(path: string): boolean {
  return path === ROOT || path.startsWith(`${ROOT}/`);
}

type Handler = (fields: Fields, request: SimulatedRequest) => ConsoleResponse;

export function makeControlApi(
  controls: Controls,
  facts: object,
): (request: SimulatedRequest) => ConsoleResponse {
  const wrong = (problems: string[]) => jsonResponse(400, { problems });

  const redeem: Handler = ({ code, devices = 1 }) => {
    if (typeof code !== 'string') return wrong(['code: expected text']);
    if (!isCount(devices, 1, 10_000)) return wrong(['devices: expected a number from 1 to 10000']);
    const redeemed = controls.redeem({ code, devices });
    return redeemed.ok ? jsonResponse(200, redeemed.value) : jsonResponse(409, { problem: redeemed.problem });
  };

  const fill: Handler = (fields) => {
    const problems = findFillingProblems(fields);
    return problems.length > 0 ? wrong(problems) : jsonResponse(201, { vouchers: controls.fill(fields) });
  };

  const setFault: Handler = (fields) => {
    const fault = readFault(fields);
    return fault.ok ? jsonResponse(201, { id: controls.setFault(fault.value) }) : wrong(fault.problem);
  };

  const setSwitches: Handler = (fields) => {
    const problems = findSwitchProblems(fields, controls.switches);
    if (problems.length > 0) return wrong(problems);
    Object.assign(controls.switches, fields);
    return jsonResponse(200, controls.switches);
  };

  const done = (act: () => void): Handler => {
    return () => {
      act();
      return jsonResponse(200, { done: true });
    };
  };

  const handlers: Record<string, Handler> = {
    'GET ': () =>
      jsonResponse(200, { ...facts, switches: controls.switches, counters: controls.counters(), doors }),
    'POST /redeem': redeem,
    'GET /vouchers': (_, { query }) => {
      const site = query.get('site');
      return jsonResponse(200, { vouchers: site === null ? controls.vouchers() : controls.vouchers(site) });
    },
    'POST /vouchers': fill,
    'DELETE /vouchers': (_, { query }) =>
      controls.remove({ code: query.get('code') ?? '' })
        ? jsonResponse(200, { done: true })
        : jsonResponse(409, { problem: 'unknown-code' }),
    'GET /faults': () => jsonResponse(200, { faults: controls.faults() }),
    'POST /faults': setFault,
    'DELETE /faults': done(controls.resetFaults),
    'GET /fault-kinds': () =>
      jsonResponse(200, Object.fromEntries(FAULT_KINDS.map((kind) => [kind, faultKinds[kind].does]))),
    'GET /switches': () => jsonResponse(200, controls.switches),
    'PATCH /switches': setSwitches,
    'GET /counters': () => jsonResponse(200, controls.counters()),
    'DELETE /counters': done(controls.resetCounters),
    'DELETE /sessions': done(controls.expireSessions),
  };
  const doors = Object.keys(handlers).map((name) => name.replace(/ /, ` ${ROOT}`));

  return (request) => {
    const name = `${request.method} ${request.path.slice(ROOT.length)}`;
    const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
    if (!handler) return jsonResponse(404, { problems: [`there is no ${name}`], doors });
    const fields = request.body.trim() === '' ? {} : parseFields(request.body);
    if (!fields) return wrong(['the body is not a JSON object']);
    try {
      return handler(fields, request);
    } catch (error) {
      return wrong([error instanceof Error ? error.message : String(error)]);
    }
  };
}

function isCount(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
}

const fillingFields: Record<keyof Filling, (value: unknown) => boolean> = {
  site: (value) => typeof value === 'string',
  count: (value) => isCount(value, 1, 1_000_000),
  note: (value) => value === null || typeof value === 'string',
  quota: (value) => isCount(value, 0, Number.MAX_SAFE_INTEGER),
  durationMinutes: (value) => isCount(value, 1, 1_000_000),
  downKbps: (value) => value === null || isCount(value, 2, 100_000),
  upKbps: (value) => value === null || isCount(value, 2, 100_000),
  usageQuotaMb: (value) => value === null || isCount(value, 1, 1_048_576),
};

function findFillingProblems(fields: Fields): string[] {
  const checks = new Map(Object.entries(fillingFields));
  return Object.entries(fields)
    .filter(([name, value]) => !checks.get(name)?.(value))
    .map(([name]) => `${name}: ${checks.has(name) ? 'unfit value' : 'unknown'}`);
}

/** Reports unknown switches and values of the wrong type. Null is valid only for switches that may be null. */
function findSwitchProblems(fields: Fields, switches: Switches): string[] {
  const isFit = (name: string, value: unknown) => {
    if (name === 'latencyMs') return isCount(value, 0, 600_000);
    if (name === 'sessionTtlMs' || name === 'loginsPerMinute')
      return value === null || isCount(value, 0, Number.MAX_SAFE_INTEGER);
    return typeof value === 'boolean';
  };
  return Object.entries(fields)
    .filter(([name, value]) => !Object.hasOwn(switches, name) || !isFit(name, value))
    .map(([name]) => `${name}: ${Object.hasOwn(switches, name) ? 'unfit value' : 'unknown'}`);
}

// The faults set on a simulated controller: which requests each fault applies to, and how often it still applies.

import { type Api, OPERATIONS, type Operation, type Route } from '../http.ts';
import { connectionKinds } from './connection-kinds.ts';
import { loginKinds } from './login-kinds.ts';
import { responseKinds } from './response-kinds.ts';
import type { FaultEntry, FaultSettings } from './turn.ts';
import { voucherKinds } from './voucher-kinds.ts';

export const faultKinds = { ...responseKinds, ...loginKinds, ...voucherKinds, ...connectionKinds };
export type FaultKind = keyof typeof faultKinds;
export const FAULT_KINDS = Object.keys(faultKinds).filter(isFaultKind);

export const FAULT_MATCHES = ['any', ...OPERATIONS] as const;

export interface Fault extends FaultSettings {
  kind: FaultKind;
  /** Which requests the fault applies to; `any` by default. */
  match?: 'any' | Operation;
  /** If set, the fault applies only to requests of this API. */
  api?: Api;
  /** How many requests the fault applies to; 1 by default. */
  times?: number | 'always';
  /** How many matching requests the fault skips first. */
  skip?: number;
}

export interface FaultState {
  id: number;
  fault: Fault;
  /** How many requests the fault has applied to so far. */
  met: number;
  isOver: boolean;
}

export interface FaultList {
  add(fault: Fault): number;
  states(): FaultState[];
  reset(): void;
  /** The fault that applies to this request, if any. If several faults match, the fault that was set first applies. */
  take(route: Route): { entry: FaultEntry; settings: FaultSettings } | undefined;
}

export function makeFaultList(): FaultList {
  let faults: { id: number; fault: Fault; passed: number; met: number }[] = [];
  let lastId = 0;

  const isOver = ({ fault, met }: { fault: Fault; met: number }) =>
    fault.times !== 'always' && met >= (fault.times ?? 1);

  return {
    add(fault) {
      faults.push({ id: ++lastId, fault, passed: 0, met: 0 });
      return lastId;
    },
    states: () =>
      faults.map((each) => ({ id: each.id, fault: each.fault, met: each.met, isOver: isOver(each) })),
    reset() {
      faults = [];
    },
    take(route) {
      for (const each of faults) {
        if (isOver(each) || !meets(each.fault, route)) continue;
        if (each.passed < (each.fault.skip ?? 0)) {
          each.passed++;
          continue;
        }
        each.met++;
        return { entry: faultKinds[each.fault.kind], settings: each.fault };
      }
      return undefined;
    },
  };
}

function meets({ match = 'any', api }: Fault, route: Route): boolean {
  return (match === 'any' || match === route.operation) && (api === undefined || api === route.api);
}

export function isFaultKind(text: string): text is FaultKind {
  return Object.hasOwn(faultKinds, text);
}

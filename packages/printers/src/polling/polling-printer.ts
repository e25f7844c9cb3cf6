// A printer that asks a server for work: what CloudPRNT and Server Direct Print have in common.

import { setTimeout as sleep } from 'node:timers/promises';
import type { PrinterKind } from '../faults.ts';
import {
  type Mechanism,
  makeMechanism,
  PowerLost,
  type PrinterOptions,
  type SimulatedPrinter,
} from '../mechanism.ts';
import { exchange, type Incoming, type Outgoing } from './exchange.ts';

export interface PollingOptions extends PrinterOptions {
  /** The address that the printer polls. */
  url: string;
  /** Pause between polls. Without it, the printer polls only when `poll` is called. */
  everyMs?: number;
}

export interface PollingPrinter extends SimulatedPrinter {
  /** One turn: asks once, prints what it gets and confirms it. Never rejects: see `events`. */
  poll(): Promise<void>;
}

export type Send = (outgoing: Omit<Outgoing, 'signal'>) => Promise<Incoming>;
/** Asks once, prints and confirms. */
export type Turn = (mechanism: Mechanism, send: Send) => Promise<void>;

export function startPolling(kind: PrinterKind, options: PollingOptions, turn: Turn): PollingPrinter {
  const mechanism = makeMechanism(kind, options);
  const { faults } = mechanism;
  const stopping = new AbortController();
  const { signal } = stopping;
  const send: Send = (outgoing) => exchange({ ...outgoing, signal }, faults);

  async function poll(): Promise<void> {
    if (faults.has('offline')) return;
    try {
      await turn(mechanism, send);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof PowerLost) {
        mechanism.eject('power-lost');
        mechanism.report('power lost');
      } else mechanism.report(`no response: ${nameOf(error)}`);
    }
  }

  async function run(everyMs: number): Promise<void> {
    while (!signal.aborted) {
      await poll();
      await sleep(everyMs, undefined, { signal }).catch(() => {});
    }
  }

  const running = options.everyMs === undefined ? Promise.resolve() : run(options.everyMs);
  return {
    slips: mechanism.slips,
    events: mechanism.events,
    setFault: (name, value = true) => faults.set(name, value),
    poll,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? String(error.code) : error.message;
}

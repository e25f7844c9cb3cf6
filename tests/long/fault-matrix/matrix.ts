// The whole matrix: each row becomes one case per driver and call.

import type { Fault } from '../../../packages/unifi-console/src/index.ts';
import { type Outcome, PHASES, type Phase, type Row } from './outcomes.ts';
import { connectionRows } from './rows-of-connections.ts';
import { loginRows } from './rows-of-logins.ts';
import { responseRows } from './rows-of-responses.ts';
import { voucherRows } from './rows-of-vouchers.ts';

export const DRIVERS = [
  { kind: 'unifi', flavour: 'unifi-os' },
  { kind: 'unifi-classic', flavour: 'unifi-os' },
  { kind: 'unifi-classic', flavour: 'unifi-classic' },
] as const;
export type Driver = (typeof DRIVERS)[number];

export interface Case {
  title: string;
  phase: Phase;
  faults: Fault[];
  expected: Outcome;
}

export const rows: Row[] = [...connectionRows, ...responseRows, ...loginRows, ...voucherRows];

export function casesFor(driver: Driver): Case[] {
  return rows.flatMap((row) =>
    PHASES.flatMap((phase) => {
      const wanted = row[phase];
      if (!wanted) return [];
      const expected = 'status' in wanted ? wanted : wanted[driver.kind === 'unifi' ? 'unifi' : 'classic'];
      return [
        { title: titleOf(row, phase, expected), phase, faults: faultsOf(row, phase, driver), expected },
      ];
    }),
  );
}

function titleOf(row: Row, phase: Phase, { status, upstream }: Outcome): string {
  const { kind, note, settings: { text: _, ...settings } = {} } = row;
  const told = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
  if (note !== undefined) told.push(note);
  const becomes = upstream === 0 ? 'no voucher' : status === 201 ? 'its voucher' : 'a voucher found later';
  return `${[`${kind} at ${phase}`, ...told].join(', ')}: ${status}, ${becomes}`;
}

function faultsOf({ kind, settings }: Row, phase: Phase, driver: Driver): Fault[] {
  const match = driver.kind === 'unifi' && phase === 'login' ? 'sites' : phase;
  // The fault lasts until it is reset, unless the row sets the number of times.
  const fault: Fault = { match, kind, times: 'always', ...settings };
  if (driver.kind !== 'unifi' || phase !== 'list') return [fault];
  return [fault, { match: 'create', kind: 'cut-after-write', times: 'always' }];
}

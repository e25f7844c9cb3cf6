// The deletions of the fault matrix: the faults of the other rows, at the deletion itself and at the reads that confirm
// it. Whatever happens, no voucher may be recorded as revoked while its console still has it.

import type { Fault } from '../../../packages/unifi-console/src/index.ts';
import { type Driver, rows } from './matrix.ts';
import type { Row } from './outcomes.ts';

export interface DeletionCase {
  title: string;
  faults: Fault[];
  /** The console has none of our vouchers, but those of others. */
  isReplaced?: true;
  /** The console keeps the voucher: the revocation must fail. */
  isKept?: true;
}

const OTHER_SITE_ID = '0c9d1f6e-5b1e-4d0c-9d7c-1f1b6f2f8a10';
const sitesWith = (site: object) => JSON.stringify({ totalCount: 1, data: [site] });

/** The console says in its own format that the voucher does not exist, or that it was deleted, but keeps it. */
const LIES: Record<Driver['kind'], Fault> = {
  unifi: { match: 'delete', kind: 'wrong-site', times: 'always' },
  'unifi-classic': {
    match: 'delete',
    kind: 'wrong-json',
    text: '{"meta":{"rc":"ok"},"data":[]}',
    written: false,
    times: 'always',
  },
};

/**
 * Lies that cannot be detected. The official API says in its own format that it deleted the voucher, or twice that the
 * voucher does not exist; a classic console says that it deleted the voucher, and then leaves it out of a list once.
 */
const UNDETECTABLE: Record<Driver['kind'], string[]> = {
  unifi: ['without-voucher at delete', 'wrong-site at get'],
  'unifi-classic': ['list-ends-early at list', 'without-voucher at list'],
};

export function deletionCasesFor({ kind }: Driver): DeletionCase[] {
  const distinct = new Map(rows.map((row) => [titleOf(row), row]));
  const all = [...distinct.values()];
  const lie = LIES[kind];
  const confirming = kind === 'unifi' ? (['get', 'sites'] as const) : (['list'] as const);
  const extra: DeletionCase[] =
    kind === 'unifi'
      ? ['default', 'p7q4m1zz'].map((internalReference) => {
          const text = sitesWith({ id: OTHER_SITE_ID, internalReference, name: 'Renamed' });
          const sites: Fault = { match: 'sites', kind: 'wrong-json', text, times: 'always' };
          return {
            title: `another id for the site ${internalReference}`,
            faults: [lie, sites],
            isKept: true,
          };
        })
      : [];
  return [
    { title: 'no fault', faults: [] },
    { title: 'a lie', faults: [lie], isKept: true },
    { title: 'a replaced console', faults: [], isReplaced: true },
    ...extra,
    ...testable(kind, all, 'delete').map((row) => ({
      title: `${titleOf(row)} at delete`,
      faults: [faultOf(row, 'delete')],
    })),
    ...confirming.flatMap((match) =>
      testable(kind, all, match).map((row) => ({
        title: `a lie, and ${titleOf(row)} at ${match}`,
        // A classic console lists the voucher before the deletion.
        faults: [lie, { ...faultOf(row, match), skip: kind === 'unifi' ? 0 : 1 }],
        isKept: true as const,
      })),
    ),
    ...all
      .filter(({ settings }) => settings === undefined)
      .map((row) => ({
        title: `a replaced console, and ${titleOf(row)} at list`,
        faults: [faultOf(row, 'list')],
        isReplaced: true as const,
      })),
  ];
}

function testable(kind: Driver['kind'], all: Row[], match: NonNullable<Fault['match']>): Row[] {
  return all.filter((row) => !UNDETECTABLE[kind].includes(`${row.kind} at ${match}`));
}

function faultOf({ kind, settings }: Row, match: NonNullable<Fault['match']>): Fault {
  return { match, kind, times: 'always', ...settings };
}

function titleOf({ kind, note, settings: { text: _, ...settings } = {} }: Row): string {
  const told = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
  return [kind, ...told, ...(note === undefined ? [] : [note])].join(', ');
}

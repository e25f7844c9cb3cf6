// The store that a move needs: it writes everything in one transaction, or nothing.

import type { AuditContext } from '../audit/audit-log.ts';
import type { Result } from '../result.ts';
import type { MovedData } from './moved-data.ts';
import type { MoveInReport, Remarks } from './report.ts';

/** Why nothing was moved in. */
export type MoveInRefusal =
  | { kind: 'moved-in-already' }
  /** The installation has sites of its own, or a demo that was used. */
  | { kind: 'has-sites'; sites: { id: number; name: string; isDemo: boolean }[] }
  /** A rule of single sign-on names a site whose id a moved site would get. */
  | { kind: 'rule-names-site'; siteId: number };

export interface MoveInInput {
  data: MovedData;
  remarks: Remarks;
  /** Undoes everything at the end. */
  isDryRun: boolean;
  audit: AuditContext;
}

export type MoveIn = (input: MoveInInput) => Promise<Result<MoveInReport, MoveInRefusal>>;

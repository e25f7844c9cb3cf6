// The tables of an installation with all its features. Only tools that read or copy whole tables load them.

import { FEATURES } from '../features.ts';
import type { TableDeclarations } from '../platform/database/tables/table-declarations.ts';

export async function loadTables(): Promise<TableDeclarations> {
  const kernel = await import('../kernel/kernel-tables.ts');
  const loaded = await Promise.all(FEATURES.map((feature) => feature.tables?.()));
  const tables: TableDeclarations = Object.assign({}, kernel.tables, ...loaded.map((one) => one?.tables));
  const rank = ({ isLast = false }) => Number(isLast);
  return Object.fromEntries(Object.entries(tables).sort(([, one], [, other]) => rank(one) - rank(other)));
}

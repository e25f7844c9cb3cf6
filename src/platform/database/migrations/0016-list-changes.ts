// Changes of a site's list that are not added to its list version yet. On PostgreSQL, a creation writes a row here
// instead of waiting until another transaction releases the row of the site.

import type { SqlDialect } from './migration.ts';

export function listChanges({ rowId, integer, tableEnd }: SqlDialect): string[] {
  return [
    `create table list_changes (
      id ${rowId},
      site_id ${integer} not null
    ) ${tableEnd}`,
    'create index list_changes_site on list_changes (site_id)',
  ];
}

// How the slips of a site look: the theme, the colour of its band, and whether the logo already shows the site's name.

import type { SqlDialect } from './migration.ts';

export function slipThemes({ integer }: SqlDialect): string[] {
  return [
    "alter table site_slips add column theme text not null default 'classic'",
    "alter table site_slips add column colour text not null default '#000000'",
    `alter table site_slips add column logo_has_name ${integer} not null default 0`,
  ];
}

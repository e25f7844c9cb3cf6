// The table of images.

import type { Declarations } from '../../platform/database/tables/table-declarations.ts';

export interface ImageTables {
  /** `name` is `logo` or `site-<id of the site>`. */
  images: { name: string; type: string; base64: string };
}

export const tables = {
  images: { key: ['name'], personal: { name: 'other', type: 'other', base64: 'other' } },
} satisfies Declarations<ImageTables>;

declare module '../../platform/database/schema.ts' {
  interface Tables extends ImageTables {}
}

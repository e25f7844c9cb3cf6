// The table of what the slips of a site say.

import type { Generated } from 'kysely';
import type { Declarations } from '../../platform/database/tables/table-declarations.ts';

export interface SlipTables {
  site_slips: {
    site_id: number;
    wifi_name: string;
    wifi_security: string;
    sealed_wifi_password: string | null;
    text: string;
    /** Separated by spaces; empty for the installation's language. */
    languages: string;
    /** Null for the default steps. */
    steps_de: string | null;
    steps_en: string | null;
    /** JSON with the steps of each language. For their languages, `steps_de` and `steps_en` take precedence. */
    steps: Generated<string | null>;
    theme: Generated<string>;
    /** As `#rrggbb`. */
    colour: Generated<string>;
    logo_has_name: Generated<number>;
  };
}

export const tables = {
  site_slips: {
    key: ['site_id'],
    personal: {
      wifi_name: 'kept',
      text: 'kept',
      steps_de: 'kept',
      steps_en: 'kept',
      steps: 'kept',
      wifi_security: 'other',
      languages: 'other',
      theme: 'other',
      colour: 'other',
    },
    sealed: { sealed_wifi_password: { key: 'site_id' } },
  },
} satisfies Declarations<SlipTables>;

declare module '../../platform/database/schema.ts' {
  interface Tables extends SlipTables {}
}

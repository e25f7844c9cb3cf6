// An order as the API takes it: what is not given comes from a profile, or is the default.

import type { ProfileId, SiteId } from '../ids.ts';

export interface OrderRequest {
  siteId: SiteId;
  /** Trimmed. */
  name: string;
  /** From 1 to `MAX_BATCH_SIZE`. */
  count: number;
  devices?: number;
  /** At most one of `minutes`, `nights` and `endsAtS` is given. */
  minutes?: number;
  nights?: number;
  endsAtS?: number;
  downKbps?: number;
  upKbps?: number;
  quotaMb?: number;
  profileId?: ProfileId;
  /** Trimmed, like the note. */
  reference?: string;
  note?: string;
}

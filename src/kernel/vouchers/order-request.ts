// An order as the API takes it: what is not given comes from a profile, or is the default.

import type { ProfileId, SiteId } from '../ids.ts';
import type { Profile } from '../profiles/profile.ts';
import { checkOutAfterS, type LocalCheckOut } from './nights.ts';
import {
  DEFAULT_EXPIRE_MINUTES,
  DEFAULT_MAX_USES,
  type HandOverFields,
  type Labels,
  type VoucherOrder,
} from './voucher-order.ts';

export interface OrderRequest extends HandOverFields {
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
  /** The voucher replaces the others with its reference. Only for an order of one voucher with a reference. */
  replaces?: boolean;
}

interface OrderContext {
  profile?: Profile | undefined;
  checkOut: LocalCheckOut;
  nowMs: number;
}

/** What the request gives takes precedence over the profile. */
export function toOrder(request: OrderRequest, { profile, checkOut, nowMs }: OrderContext): VoucherOrder {
  const {
    siteId,
    name,
    count: _,
    devices,
    minutes,
    nights,
    endsAtS,
    downKbps,
    ...others
  } = lastsAsWanted(request, profile);
  const { upKbps, quotaMb, profileId, reference, note, replaces: __, ...handOver } = others;
  const labels = labelsOf({ profileId, reference, note });
  const end = nights === undefined ? endsAtS : checkOutAfterS(nowMs, nights, checkOut);
  return {
    siteId,
    name,
    maxUses: devices ?? profile?.maxUses ?? DEFAULT_MAX_USES,
    expireMinutes: minutes ?? DEFAULT_EXPIRE_MINUTES,
    downKbps: downKbps ?? profile?.downKbps ?? 0,
    upKbps: upKbps ?? profile?.upKbps ?? 0,
    quotaMb: quotaMb ?? profile?.quotaMb ?? 0,
    ...(end !== undefined && { endsAtS: end }),
    ...(labels && { labels }),
    ...handOver,
  };
}

/** The duration of the profile counts only if the request gives none. */
function lastsAsWanted(request: OrderRequest, profile: Profile | undefined): OrderRequest {
  const { minutes, nights, endsAtS } = request;
  if (!profile || minutes !== undefined || nights !== undefined || endsAtS !== undefined) return request;
  return profile.nights === undefined
    ? { ...request, minutes: profile.expireMinutes }
    : { ...request, nights: profile.nights };
}

function labelsOf({
  reference,
  note,
  profileId,
}: { [Name in keyof Labels]: Labels[Name] | undefined }): Labels | undefined {
  const labels = {
    ...(reference !== undefined && { reference }),
    ...(note !== undefined && { note }),
    ...(profileId !== undefined && { profileId }),
  };
  return Object.keys(labels).length > 0 ? labels : undefined;
}

// A voucher order, and the service's own bounds for it. A controller may declare tighter bounds, which are checked for
// the same fields.

import type { ControllerBounds, UpstreamOrder, VoucherLimits } from '../controllers/controller.ts';
import type { ProfileId, SiteId } from '../ids.ts';
import type { OrderField, OutOfBounds } from '../problem.ts';

/** A feature merges a field into it for its way to hand the vouchers over: see `HandOverWay`. */
export interface VoucherOrder extends VoucherLimits {
  siteId: SiteId;
  /** The name as the caller wrote it, without white space at the ends. */
  name: string;
  /** The moment at which the vouchers end. `expireMinutes` is then computed again whenever vouchers are ordered. */
  endsAtS?: number;
  labels?: Labels;
}

/** How the vouchers are handed over. */
export type HandOverFields = Omit<
  VoucherOrder,
  keyof VoucherLimits | 'siteId' | 'name' | 'endsAtS' | 'labels'
>;

/** What the caller of the API stores with a voucher. The controller does not know it. */
export interface Labels {
  /** What the caller calls the voucher, such as the number of a booking. Several vouchers may have the same. */
  reference?: string;
  note?: string;
  /** The profile that the limits come from. It may have been removed since. */
  profileId?: ProfileId;
}

export const DEFAULT_MAX_USES = 1;
export const DEFAULT_EXPIRE_MINUTES = 480;
export const MAX_NAME_LENGTH = 244;
export const MAX_REFERENCE_LENGTH = 100;
export const MAX_NOTE_LENGTH = 500;
export const MAX_INTEGER = 2_147_483_647;

const fieldOf: Record<keyof VoucherLimits, OrderField> = {
  maxUses: 'max_uses',
  expireMinutes: 'expire_minutes',
  downKbps: 'down',
  upKbps: 'up',
  quotaMb: 'quota_mb',
};

const serviceBounds: ControllerBounds = {
  maxUses: { max: MAX_INTEGER },
  expireMinutes: { max: MAX_INTEGER },
  downKbps: { max: MAX_INTEGER },
  upKbps: { max: MAX_INTEGER },
  quotaMb: { max: MAX_INTEGER },
};

const limitNames: (keyof VoucherLimits)[] = ['maxUses', 'expireMinutes', 'downKbps', 'upKbps', 'quotaMb'];

/** The first limit that is outside its bound. 0 means unlimited and is always within its bound. */
export function findOutOfBounds(
  limits: VoucherLimits,
  bounds: ControllerBounds = serviceBounds,
): OutOfBounds | undefined {
  for (const name of limitNames) {
    const bound = bounds[name];
    const value = limits[name];
    if (!bound || value === 0) continue;
    if (value > bound.max || (bound.min !== undefined && value < bound.min))
      return { kind: 'out-of-bounds', field: fieldOf[name], ...bound };
  }
  return undefined;
}

/** True if name and limits are equal. The vouchers of two such orders at one site are interchangeable. */
export function isSameOrder(one: UpstreamOrder, other: UpstreamOrder): boolean {
  return one.name === other.name && hasSameLimits(one, other);
}

export function hasSameLimits(one: VoucherLimits, other: VoucherLimits): boolean {
  return limitNames.every((name) => one[name] === other[name]);
}

/** What the controller is asked for. */
export function toUpstreamOrder(order: VoucherOrder, storedName: string): UpstreamOrder {
  const { maxUses, expireMinutes, downKbps, upKbps, quotaMb } = order;
  return { name: storedName, maxUses, expireMinutes, downKbps, upKbps, quotaMb };
}

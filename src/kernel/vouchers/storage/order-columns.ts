// The columns of a voucher order, which vouchers, intents, batches and profiles have in common, and the columns of its
// labels and of the terms that the guest has accepted.

import type { UpstreamOrder } from '../../controllers/controller.ts';
import { asProfileId, asTermsId } from '../../ids.ts';
import type { AcceptedTerms } from '../order-purpose.ts';
import type { Labels, VoucherOrder } from '../voucher-order.ts';

export function toOrderColumns(order: UpstreamOrder) {
  return {
    name: order.name,
    max_uses: order.maxUses,
    expire_minutes: order.expireMinutes,
    down_kbps: order.downKbps,
    up_kbps: order.upKbps,
    quota_mb: order.quotaMb,
  };
}

export function toOrder(row: ReturnType<typeof toOrderColumns>): UpstreamOrder {
  return {
    name: row.name,
    maxUses: row.max_uses,
    expireMinutes: row.expire_minutes,
    downKbps: row.down_kbps,
    upKbps: row.up_kbps,
    quotaMb: row.quota_mb,
  };
}

export const limitColumns = ['max_uses', 'expire_minutes', 'down_kbps', 'up_kbps', 'quota_mb'] as const;

interface LabelColumns {
  reference: string | null;
  note: string | null;
  profile_id: number | null;
}

export function toLabelColumns({ reference, note, profileId }: Labels = {}): LabelColumns {
  return { reference: reference ?? null, note: note ?? null, profile_id: profileId ?? null };
}

/** Without the field, if the row has no labels. */
export function toLabels({ reference, note, profile_id }: LabelColumns): Pick<VoucherOrder, 'labels'> {
  const labels = {
    ...(reference !== null && { reference }),
    ...(note !== null && { note }),
    ...(profile_id !== null && { profileId: asProfileId(profile_id) }),
  };
  return Object.keys(labels).length > 0 ? { labels } : {};
}

interface TermsColumns {
  terms_id: number | null;
  terms_accepted_at_s: number | null;
}

export function toTermsColumns(terms?: AcceptedTerms): TermsColumns {
  return { terms_id: terms?.termsId ?? null, terms_accepted_at_s: terms?.acceptedAtS ?? null };
}

/** Returns no field if the guest accepted no terms. */
export function toTerms({ terms_id, terms_accepted_at_s }: TermsColumns): { terms?: AcceptedTerms } {
  if (terms_id === null || terms_accepted_at_s === null) return {};
  return { terms: { termsId: asTermsId(terms_id), acceptedAtS: terms_accepted_at_s } };
}

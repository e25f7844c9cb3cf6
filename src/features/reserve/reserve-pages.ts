// What reserves bring to the web interface.

import type { CreateBatch } from '../../kernel/batches/create-batch.ts';
import type { FeaturePages } from '../../kernel/pages/feature-pages.ts';
import { reserveRoutes } from './pages/reserve.ts';
import { reserveCard } from './pages/reserve-card.ts';
import { reserveOfferRoutes, reserveVoucherSlots } from './pages/reserve-offer.ts';
import type { ReserveStore } from './reserve.ts';
import type { SetReserve } from './set-reserve.ts';

declare module '../../kernel/pages/app.ts' {
  interface App {
    reserves: Pick<ReserveStore, 'find' | 'list'>;
    setReserve: SetReserve;
    /** As `createBatch`, but with vouchers of the reserve. */
    handOutBatch: CreateBatch;
  }
}

export const reservePages: FeaturePages = {
  routes: [...reserveOfferRoutes, ...reserveRoutes],
  siteCard: reserveCard,
  vouchers: reserveVoucherSlots,
};

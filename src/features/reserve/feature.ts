// The stock: vouchers made ahead, for the time when the controller is away.

import type { Feature } from '../../kernel/feature.ts';
import type { InstallationParts } from '../../kernel/installation.ts';

async function open({ database, seal }: InstallationParts) {
  const { makeReserveStore } = await import('./reserve-store.ts');
  const { makeStockPoke } = await import('./stock-poke.ts');
  const { makeStockStore } = await import('./stock-store.ts');
  const stockPoke = makeStockPoke();
  return {
    reserves: makeReserveStore(database),
    stockPoke,
    stock: makeStockStore(database, seal, stockPoke.poke),
  };
}

declare module '../../kernel/installation.ts' {
  interface Installation extends Awaited<ReturnType<typeof open>> {}
}

export const reserve = {
  open,
  tables: () => import('./reserve-tables.ts'),
  pages: async () => (await import('./reserve-pages.ts')).reservePages,
  health: () => import('./reserve-health.ts'),
  metrics: async (installation) => (await import('./stock-metrics.ts')).stockMetrics(installation),
} satisfies Feature;

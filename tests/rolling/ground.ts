// What the tests of rolling codes share: a screen with its path, vouchers in its stock, and looks at it.

import assert from 'node:assert/strict';
import { openSimulatedVouchers } from '../../src/kernel/controllers/simulator/simulated-vouchers.ts';
import type { ScreenId } from '../../src/kernel/ids.ts';
import { makeSyncUseCases } from '../../src/kernel/vouchers/sync-use-cases.ts';
import { makePathToken } from '../../src/platform/secrets/token.ts';
import { addScreen, ordersOf, siteId } from '../stock/support.ts';
import type { TestService } from '../support/test-service.ts';

export interface RollingGround {
  id: ScreenId;
  path: string;
  /** Makes vouchers ahead, as the worker does. */
  fill(count?: number): Promise<void>;
  /** The JSON of the path, from this service or from another. */
  look(url?: string): Promise<Look>;
}

export interface Look {
  code: string | null;
  formatted_code: string | null;
  site: string;
  valid_minutes: number;
  devices: number;
  wifi: string | null;
  state: string;
}

export function addRolling(
  service: TestService,
  fields: Record<string, string | number | null> = {},
): RollingGround {
  const { token, tokenHash } = makePathToken();
  const id = addScreen(service, { name: 'Foyer', kind: 'rolling', token_hash: tokenHash, ...fields });
  const order = ordersOf(service.beside);
  const path = `/rolling/${token}`;
  return {
    id,
    path,
    async fill(count = 1) {
      const { problem } = await order({ kind: 'stock', screenId: id }, { count, name: 'Foyer' });
      assert.equal(problem, undefined);
    },
    async look(url = service.url) {
      const response = await fetch(`${url}${path}.json`);
      assert.equal(response.status, 200);
      return (await response.json()) as Look;
    },
  };
}

/** Uses a code on the simulated console, and lets a sync see it. */
export async function redeem(service: TestService, code: string | null): Promise<void> {
  const vouchers = openSimulatedVouchers(service.config.dataDir);
  try {
    assert.ok(vouchers.redeem(`${siteId}/default`, code ?? '', service.clock.nowMs()));
  } finally {
    vouchers.close();
  }
  await sync(service);
}

export async function sync({ beside }: TestService): Promise<void> {
  const site = await beside.sites.find(siteId);
  assert.ok(site);
  await makeSyncUseCases(beside).syncSite(site, AbortSignal.timeout(20_000));
}

// A guest books, cancels and books again, all with one booking number: every time the guest gets a code that works.

import assert from 'node:assert/strict';
import type { TestService } from '../support/test-service.ts';

/** `book` is called twice before each cancellation: that must not make a difference. */
export async function checkRebooking(
  { client }: TestService,
  reference: string,
  { book, cancel }: { book: () => Promise<unknown>; cancel: () => Promise<unknown> },
): Promise<void> {
  const codes = new Set<string>();
  for (let round = 1; round <= 3; round++) {
    await book();
    await book();
    const { vouchers } = await client.listVouchers({ reference });
    const living = vouchers.filter(({ status }) => status === 'unused');
    assert.deepEqual([vouchers.length, living.length], [round, 1]);
    codes.add(living[0]?.code ?? '');
    await cancel();
  }
  assert.equal(codes.size, 3);
}

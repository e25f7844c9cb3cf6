// A guest books, changes the booking, cancels and books again, all with one booking number: the guest always has
// exactly one code that works, even if older messages come again.

import assert from 'node:assert/strict';
import type { TestService } from '../support/test-service.ts';

/** `book` resolves to true if the revision has a living voucher. A second call must not make a difference. */
export async function checkRebooking(
  { client }: TestService,
  reference: string,
  { book, cancel }: { book: (revision: number) => Promise<boolean>; cancel: () => Promise<unknown> },
): Promise<void> {
  const codes = new Set<string>();
  for (let revision = 1; revision <= 4; revision++) {
    assert.deepEqual([await book(revision), await book(revision)], [true, true]);
    const { vouchers } = await client.listVouchers({ reference });
    const living = vouchers.filter(({ status }) => status === 'unused');
    assert.deepEqual([vouchers.length, living.length], [revision, 1]);
    codes.add(living[0]?.code ?? '');
    const isCancelled = revision % 2 === 0;
    if (isCancelled) await cancel();
    for (let late = isCancelled ? revision : revision - 1; late > 0; late--)
      assert.equal(await book(late), false);
    const { vouchers: after } = await client.listVouchers({ reference, status: 'unused' });
    assert.deepEqual(after, isCancelled ? [] : living);
  }
  assert.equal(codes.size, 4);
}

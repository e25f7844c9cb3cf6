// Checks that a controller is the one that has our vouchers. A missing voucher counts as deleted only if this check
// succeeds, because a console that was set up anew, was replaced or is restarting lacks all our vouchers.

import type { Controller, ControllerFailure } from '../controllers/controller.ts';
import type { SiteId } from '../ids.ts';
import type { UsageStore } from './usage-records.ts';

export const OTHER_CONSOLE: ControllerFailure = {
  kind: 'refused',
  cause: 'other-console',
  text: 'the controller has none of the vouchers that it should have: it may have been set up anew or replaced',
};

interface Input {
  siteId: SiteId;
  controller: Pick<Controller, 'listsAny' | 'findUses'>;
  usage: Pick<UsageStore, 'sampleExpected'>;
  /** The controller's ids of vouchers that may already be deleted on the controller. */
  except?: ReadonlySet<string>;
  signal: AbortSignal;
}

/**
 * Undefined if the controller lists at least one voucher that it should have, if it reports a use of such a voucher, or
 * if it should have none.
 */
export async function checkConsole(input: Input): Promise<ControllerFailure | undefined> {
  const { siteId, controller, usage, except, signal } = input;
  const expected = (await usage.sampleExpected(siteId)).filter((id) => !except?.has(id));
  if (expected.length === 0) return undefined;
  const listed = await controller.listsAny(expected, signal);
  if (!listed.ok) return listed.problem;
  if (listed.value) return undefined;
  // Some controllers remove a voucher from their list when it is used up. The use of such a voucher also shows that the
  // controller is the one that has our vouchers.
  const uses = await controller.findUses(signal);
  if (!uses.ok) return uses.problem;
  return expected.some((id) => uses.value.has(id)) ? undefined : OTHER_CONSOLE;
}

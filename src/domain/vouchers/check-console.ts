// Checks that a controller is the one that has our vouchers, before its word is taken that a voucher does not exist. A
// console that was set up anew, replaced or is restarting does not know any voucher either.

import type { Controller, ControllerFailure } from '../controller.ts';
import type { SiteId } from '../ids.ts';
import type { UsageStore } from './usage-store.ts';

export const OTHER_CONSOLE: ControllerFailure = {
  kind: 'refused',
  cause: 'other-console',
  text: 'the controller has none of the vouchers that it should have: it may have been set up anew or replaced',
};

interface Input {
  siteId: SiteId;
  controller: Pick<Controller, 'listsAny'>;
  usage: Pick<UsageStore, 'sampleExpected'>;
  /** Controller voucher ids that the controller need not have any more. */
  except?: ReadonlySet<string>;
  signal: AbortSignal;
}

/** Undefined if the controller lists at least one voucher that it should have, or if it should have none. */
export async function checkConsole(input: Input): Promise<ControllerFailure | undefined> {
  const { siteId, controller, usage, except, signal } = input;
  const expected = (await usage.sampleExpected(siteId)).filter((id) => !except?.has(id));
  if (expected.length === 0) return undefined;
  const listed = await controller.listsAny(expected, signal);
  if (!listed.ok) return listed.problem;
  return listed.value ? undefined : OTHER_CONSOLE;
}

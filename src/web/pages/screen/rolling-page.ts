// The page of a rolling code: it always shows one unused voucher.

import type { ScreenContext } from '../../http/context.ts';
import { showClosed } from './screen-problem.ts';

export async function showRolling(context: ScreenContext): Promise<Response> {
  return showClosed(context);
}

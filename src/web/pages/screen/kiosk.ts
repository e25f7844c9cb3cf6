// The pages of a kiosk: guests take a voucher themselves.

import { SCREEN_PATH } from '../../../domain/screens/screen.ts';
import type { ScreenContext } from '../../http/context.ts';
import { redirect } from '../../ui/layout.ts';
import { showClosed } from './screen-problem.ts';

export async function showKiosk(context: ScreenContext): Promise<Response> {
  return showClosed(context);
}

export async function orderAtKiosk(context: ScreenContext): Promise<Response> {
  return redirect(context, SCREEN_PATH);
}

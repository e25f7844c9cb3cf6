// Shows the state of a screen: a pill, since when, and what to do.

import type { AuthenticatedContext } from '../../../kernel/pages/context.ts';
import { note } from '../../../kernel/pages/message.ts';
import { sayMoment } from '../../../kernel/pages/say-moment.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { type IconName, icon } from '../../../platform/pages/ui/icons.ts';
import { sayTimeOfDay } from '../../../platform/texts/durations.ts';
import type { Screen } from '../screen.ts';
import { lastHeardMs, type ScreenState, screenState } from '../screen-state.ts';
import { SCREEN_TEXTS } from '../screen-texts.ts';

const PILLS = {
  waiting: 'expired',
  online: 'valid',
  silent: 'failing',
} as const satisfies Record<ScreenState, string>;
const SHAPES = {
  waiting: 'new',
  online: 'valid',
  silent: 'warning',
} as const satisfies Record<ScreenState, IconName>;

/** Below the pill: until when the pairing code can be used, or since when the device is silent. */
export function screenStatePill(context: AuthenticatedContext, screen: Screen): Html {
  const text = SCREEN_TEXTS[context.language];
  const state = screenState(screen, context.nowMs);
  const heardMs = lastHeardMs(screen);
  const since = state === 'silent' && heardMs !== null && text.since(sayMoment(context, heardMs));
  const until = hasOpenCode(context, screen) && text.codeUntil(sayTimeOfDay(screen.pairingUntilMs, context));
  const more = since || until;
  return html`<span><span class="pill ${PILLS[state]}">${icon(SHAPES[state])}${text.states[state]}</span>${more && html`<span class="sub">${more}</span>`}</span>`;
}

/** Whether a device can still be paired with the last code. */
export function hasOpenCode(
  { nowMs }: AuthenticatedContext,
  screen: Screen,
): screen is Screen & { pairingUntilMs: number } {
  return screen.pairingUntilMs !== null && screen.pairingUntilMs > nowMs;
}

/** What to do about the state. False if nothing has to be done. */
export function screenAdvice(context: AuthenticatedContext, screen: Screen): Html | false {
  const { advice } = SCREEN_TEXTS[context.language];
  const state = screenState(screen, context.nowMs);
  if (state === 'online') return false;
  const isRolling = screen.kind === 'rolling';
  if (state === 'silent') return note('warning', isRolling ? advice.silentRolling : advice.silent);
  return note('info', isRolling ? advice.waitingRolling : advice.waiting);
}

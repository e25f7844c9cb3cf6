// The metrics of screens: their states, and the forms that guests send at kiosks.

import type { Installation } from '../../kernel/installation.ts';
import { type Counter, gauge, labelled, type Metric } from '../../platform/metrics/metric.ts';
import { listActiveScreens } from './active-screens.ts';
import { SCREEN_ORDER_RESULTS, type ScreenOrderResult } from './order-at-screen.ts';
import type { Screen } from './screen.ts';
import { SCREEN_STATES, screenState } from './screen-state.ts';

export const SCREEN_ORDERS: Counter<{ result: ScreenOrderResult }> = {
  place: 100,
  name: 'gastpass_screen_orders_total',
  help: 'Forms sent at kiosks, by result',
  startsWith: SCREEN_ORDER_RESULTS.map((result) => ({ result })),
};

export function screenMetrics(installation: Installation): Metric[] {
  const { clock } = installation;
  return [
    SCREEN_ORDERS,
    {
      place: 190,
      async read() {
        const screens = await listActiveScreens(installation).catch(() => undefined);
        return gauge(
          'gastpass_screens',
          'Screens by state: not paired yet, online, or silent',
          screens && labelled('state', countStates(screens, clock.nowMs())),
        );
      },
    },
  ];
}

function countStates(screens: Screen[], nowMs: number): [string, number][] {
  const states = screens.map((screen) => screenState(screen, nowMs));
  return SCREEN_STATES.map((state) => [state, states.filter((one) => one === state).length]);
}

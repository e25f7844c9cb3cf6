// Says when something happened: the time of day, and the date unless it is today.

import { sayDay, sayTime, sayTimeOfDay } from '../../platform/texts/durations.ts';
import type { PageContext } from './context.ts';

export function sayMoment({ language, timeZone, nowMs }: PageContext, ms: number): string {
  const place = { language, timeZone };
  return sayDay(ms, place) === sayDay(nowMs, place) ? sayTimeOfDay(ms, place) : sayTime(ms, place);
}

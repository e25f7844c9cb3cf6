// Rules for screens: whether their devices have sent something lately. A tablet that is off is no fault of the
// installation, so it is a warning.

import { type Finding, passed, warning } from '../../kernel/health/finding.ts';
import type { ScreenId } from '../../kernel/ids.ts';
import { UNKNOWN } from '../../platform/values/unknown-value.ts';
import type { Screen } from './screen.ts';
import { lastHeardMs, screenState } from './screen-state.ts';

interface OfScreen {
  screenId: ScreenId;
  screen: string;
  /** The name of its site. */
  site: string;
}

/** What System health and `doctor` say about screens. */
export interface ScreenHealthFacts {
  'screen-ok': OfScreen;
  'screen-waiting': OfScreen;
  'screen-not-known': OfScreen;
  /** `atMs`: when the device last sent a request. */
  'screen-silent': OfScreen & { atMs: number };
}

declare module '../../kernel/health/finding.ts' {
  interface HealthFacts extends ScreenHealthFacts {}
}

export function judgeScreens(screens: Screen[], nowMs: number): Finding[] {
  return screens.map((screen) => {
    const facts = { screenId: screen.id, screen: screen.name, site: screen.siteName };
    if (screen.kind === UNKNOWN) return warning({ kind: 'screen-not-known', ...facts });
    const state = screenState(screen, nowMs);
    if (state === 'online') return passed({ kind: 'screen-ok', ...facts });
    if (state === 'waiting') return passed({ kind: 'screen-waiting', ...facts });
    return warning({ kind: 'screen-silent', atMs: lastHeardMs(screen) ?? nowMs, ...facts });
  });
}

// Rules for screens: whether their devices have sent something lately. A tablet that is off is no fault of the
// installation, so it is a warning.

import { type Finding, passed, warning } from '../../kernel/health/finding.ts';
import { UNKNOWN } from '../../platform/values/unknown-value.ts';
import type { Screen } from './screen.ts';
import { lastHeardMs, screenState } from './screen-state.ts';

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

// Wires the use cases that manage screens.

import type { Installation } from '../../kernel/installation.ts';
import { makeAddScreen, makeChangeScreen } from './add-screen.ts';
import { makeRenewPairing } from './pair-screen.ts';

export function makeScreenUseCases({ screens, sites, profiles, printers, mailServer }: Installation) {
  const deps = { screens, sites, profiles, printers, mailServer };
  return {
    addScreen: makeAddScreen(deps),
    changeScreen: makeChangeScreen(deps),
    renewPairing: makeRenewPairing({ screens }),
  };
}

// Wires the use cases that manage screens.

import { makeAddScreen, makeChangeScreen } from '../domain/screens/add-screen.ts';
import { makeRenewPairing } from '../domain/screens/pair-screen.ts';
import type { Installation } from './installation.ts';

export function makeScreenUseCases({ screens, sites, profiles, printers, mailServer }: Installation) {
  const deps = { screens, sites, profiles, printers, mailServer };
  return {
    addScreen: makeAddScreen(deps),
    changeScreen: makeChangeScreen(deps),
    renewPairing: makeRenewPairing({ screens }),
  };
}

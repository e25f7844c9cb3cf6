// All kinds of controller that have a driver, in the order in which they are offered.

import type { DrivenKind } from './kind.ts';
import { simulator } from './simulator/kind.ts';
import { unifi } from './unifi/kind.ts';
import { unifiClassic } from './unifi-classic/kind.ts';

export const KINDS: readonly DrivenKind[] = [unifi, unifiClassic, simulator];

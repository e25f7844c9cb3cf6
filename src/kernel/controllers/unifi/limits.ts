// What UniFi can limit, and how its codes are written, for both drivers.

import type { ControllerBounds } from '../controller.ts';
import type { CodeFormat } from '../controller-kind.ts';

export const UNIFI_BOUNDS: ControllerBounds = {
  expireMinutes: { max: 1_000_000 },
  downKbps: { min: 2, max: 100_000 },
  upKbps: { min: 2, max: 100_000 },
  quotaMb: { min: 1, max: 1_048_576 },
};

export const UNIFI_CODE: CodeFormat = { pattern: /^\d+$/, length: 10 };

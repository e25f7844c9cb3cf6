// Builds the text of the QR code with which a phone joins a Wi-Fi network.

import { UNKNOWN } from '../../platform/values/unknown-value.ts';
import type { SiteSlip } from './slip.ts';

/** Undefined if the slip names no Wi-Fi, if its security is unknown, or if it needs a password that is not stored. */
export function joinText({ wifiName, wifiSecurity, wifiPassword }: SiteSlip): string | undefined {
  if (wifiName === '') return undefined;
  if (wifiSecurity === 'open') return `WIFI:T:nopass;S:${escaped(wifiName)};;`;
  if (wifiSecurity === UNKNOWN) return undefined;
  return wifiPassword === null ? undefined : `WIFI:T:WPA;S:${escaped(wifiName)};P:${escaped(wifiPassword)};;`;
}

/** Escapes special characters, so that a value cannot end its field and start another. */
function escaped(text: string): string {
  return text.replace(/[\\;,:"]/g, (sign) => `\\${sign}`);
}

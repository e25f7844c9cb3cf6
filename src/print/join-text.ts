// What a phone's camera reads to join a Wi-Fi.

import type { SiteSlip } from '../domain/sites/slip.ts';

/** Undefined when there is no Wi-Fi to join, or its password is not ours to tell. */
export function joinText({ wifiName, wifiSecurity, wifiPassword }: SiteSlip): string | undefined {
  if (wifiName === '') return undefined;
  if (wifiSecurity === 'open') return `WIFI:T:nopass;S:${escaped(wifiName)};;`;
  return wifiPassword === null ? undefined : `WIFI:T:WPA;S:${escaped(wifiName)};P:${escaped(wifiPassword)};;`;
}

/** No name can end its own field and begin another one. */
function escaped(text: string): string {
  return text.replace(/[\\;,:"]/g, (sign) => `\\${sign}`);
}

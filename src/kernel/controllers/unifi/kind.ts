// UniFi with the official Integration API.

import { type DrivenKind, reachedOf } from '../kind.ts';
import { makeUnifiDriver } from './driver.ts';
import { UNIFI_BOUNDS, UNIFI_CODE } from './limits.ts';

export const unifi: DrivenKind = {
  name: 'unifi',
  since: '0.1.0',
  summary: 'the official Integration API of Network 9.1 and later',
  hasAddress: true,
  credentials: [{ name: 'apiKey', isSecret: true }],
  code: UNIFI_CODE,
  bounds: UNIFI_BOUNDS,
  open: () => ({
    makeDriver(place) {
      const { upstream, credentials } = reachedOf(place);
      return makeUnifiDriver({ upstream, apiKey: credentials.apiKey ?? '', site: place.site });
    },
  }),
};

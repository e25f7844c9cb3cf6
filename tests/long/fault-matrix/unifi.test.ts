// The fault matrix of the driver for the official API.

import { checkDriver } from './check-driver.ts';

checkDriver({ kind: 'unifi', flavour: 'unifi-os' });

// The fault matrix of the classic driver on a console with UniFi OS.

import { checkDriver } from './check-driver.ts';

checkDriver({ kind: 'unifi-classic', flavour: 'unifi-os' });

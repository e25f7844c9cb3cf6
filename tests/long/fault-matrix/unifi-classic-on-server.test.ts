// The fault matrix of the classic driver on the self-hosted server (usually on port 8443).

import { checkDriver } from './check-driver.ts';

checkDriver({ kind: 'unifi-classic', flavour: 'unifi-classic' });

// The fault matrix for deletions of the driver for the official API.

import { checkDeletions } from './check-deletions.ts';

checkDeletions({ kind: 'unifi', flavour: 'unifi-os' });

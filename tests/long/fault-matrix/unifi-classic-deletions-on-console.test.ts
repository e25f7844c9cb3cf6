// The fault matrix for deletions of the classic driver on a console with UniFi OS.

import { checkDeletions } from './check-deletions.ts';

checkDeletions({ kind: 'unifi-classic', flavour: 'unifi-os' });

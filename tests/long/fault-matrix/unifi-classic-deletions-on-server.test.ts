// The fault matrix for deletions of the classic driver on the self-hosted server.

import { checkDeletions } from './check-deletions.ts';

checkDeletions({ kind: 'unifi-classic', flavour: 'unifi-classic' });

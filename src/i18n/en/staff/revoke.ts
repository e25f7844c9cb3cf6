// English messages for revoking and exporting vouchers.

import type { RevokeMessages } from '../../de/staff/revoke.ts';

export const revokeEn: RevokeMessages = {
  revoke: 'Revoke',
  ask: 'Revoke this voucher?',
  what: 'After that, nobody can sign in with its code. It is deleted on the controller too. This cannot be undone.',
  failedTitle: 'Not revoked',
  failed: 'The voucher was not revoked and is still valid.',
  back: 'Back to the voucher',
  export: 'Save as CSV',
  most: (limit) => `The CSV file holds at most ${limit} vouchers, with the chosen filters and in this order.`,
  columns: ['Code', 'Name', 'Site', 'Status', 'Uses', 'Devices', 'Minutes', 'Created', 'Ends', 'Created by'],
};

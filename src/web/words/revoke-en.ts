// The words around revoking and exporting vouchers in English.

import type { RevokeWords } from './revoke-de.ts';

export const revokeEn: RevokeWords = {
  revoke: 'Revoke',
  revoked: 'revoked',
  ask: (code) => `Revoke voucher ${code}?`,
  what: 'It is deleted on the controller too: nobody can sign in with it any more. This cannot be undone.',
  failed: 'The voucher has not been revoked and stays valid.',
  back: 'To the voucher',
  export: 'Save as CSV',
  columns: ['Code', 'Name', 'Site', 'State', 'Uses', 'Devices', 'Minutes', 'Created', 'Ends', 'Created by'],
};

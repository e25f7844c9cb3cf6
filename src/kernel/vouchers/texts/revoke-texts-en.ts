// English messages for revoking and exporting vouchers.

import type { RevokeMessages } from './revoke-texts-de.ts';

export const revokeEn: RevokeMessages = {
  revoke: 'Revoke',
  ask: 'Revoke this voucher?',
  what: 'After that, nobody can sign in with its code. It is deleted on the controller too. This cannot be undone.',
  letIn: (count) => `${count === 1 ? '1 device' : `${count} devices`} signed in with this voucher.`,
  letInTogether: (count) =>
    `${count === 1 ? '1 device' : `${count.toLocaleString('en')} devices`} signed in with these vouchers.`,
  stayOnline: 'Devices that are signed in may stay online until their time ends.',
  disconnect: 'Disconnect these devices from the Wi-Fi now',
  disconnectHint: 'Otherwise they may stay online until their time ends.',
  disconnectAgain: 'Disconnect again',
  stillOnlineTitle: 'Devices not disconnected',
  stillOnline: (count) =>
    `The voucher is revoked, but ${count === 0 ? 'its devices could not be disconnected' : `only ${count === 1 ? '1 device' : `${count} devices`} could be disconnected`}.`,
  failedTitle: 'Not revoked',
  failed: 'The voucher was not revoked and is still valid.',
  back: 'Back to the voucher',
  export: 'Save as CSV',
  most: (limit) => `The CSV file holds at most ${limit} vouchers, with the chosen filters and in this order.`,
  columns: [
    'Code',
    'Name',
    'Site',
    'Status',
    'Uses',
    'Devices',
    'Minutes',
    'Created',
    'Ends',
    'Created by',
    'Reference',
    'Note',
  ],
  creators: { unknown: 'API or controller', controller: 'created on the controller' },
};

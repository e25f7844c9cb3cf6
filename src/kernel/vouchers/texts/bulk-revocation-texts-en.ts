// English messages for revoking many vouchers at once: the question, the progress and the report.

import type { BulkRevocationMessages } from './bulk-revocation-texts-de.ts';

const number = (count: number) => count.toLocaleString('en');
const vouchers = (count: number) => (count === 1 ? '1 voucher' : `${number(count)} vouchers`);

export const bulkRevocationEn: BulkRevocationMessages = {
  selected: 'Revoke selection',
  allResults: 'Revoke all results',
  ask: (count) => `Revoke ${vouchers(count)}?`,
  what: (count) =>
    `After that, nobody can sign in with ${count === 1 ? 'its code. It is' : 'their codes. They are'} deleted on the controller too. This cannot be undone.`,
  button: (count) => `Revoke ${vouchers(count)}`,
  further: (count) => `and ${number(count)} more`,
  contains: (text) => `contains “${text}”`,
  noFilter: 'Please set a filter first: without one, all vouchers of all sites would be revoked.',
  noneSelected: 'No voucher is selected to be revoked.',
  tooMany: (most) =>
    `There are more than ${most} results. At most ${most} are revoked at once, the newest first. The others stay valid.`,
  nothing: 'There is nothing to revoke: none of these vouchers is still valid.',
  running: (done, all) => `${number(done)} of ${number(all)} processed …`,
  underWay: (done, all) => `Revocation in progress: ${number(done)} of ${vouchers(all)} processed.`,
  background: 'This continues even if you close the page.',
  all: (count) => `${vouchers(count)} revoked`,
  partly: (revoked, all) => `${number(revoked)} of ${vouchers(all)} revoked`,
  none: 'No voucher revoked',
  startedBy: (name, time) => `Started by ${name} on ${time}`,
  outcomes: { failed: 'failed', used: 'used in the meantime', ended: 'already ended', revoked: 'revoked' },
  explained: {
    failed: (count) =>
      count === 1
        ? 'This voucher was not revoked and is still valid.'
        : 'These vouchers were not revoked and are still valid.',
    used: (count) =>
      count === 1
        ? 'A guest has used this voucher in the meantime. It is still valid.'
        : 'Guests have used these vouchers in the meantime. They are still valid.',
    ended: (count) =>
      `${count === 1 ? 'This voucher' : 'These vouchers'} had already expired, been revoked or been deleted.`,
    revoked: (count) => `Nobody can sign in with ${count === 1 ? 'this code' : 'these codes'} any more.`,
  },
  reason: 'Reason',
  retry: (count) => `Try the failed ${count === 1 ? 'one' : 'ones'} again`,
  removed: 'removed since',
  by: (name, time) => `by ${name} on ${time}`,
  at: (time) => `on ${time}`,
  noticed: (time) => `Deleted on the controller, noticed on ${time}`,
};

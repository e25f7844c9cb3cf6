// English messages for the overview.

import type { OverviewMessages } from './overview-texts-de.ts';

export const overviewEn: OverviewMessages = {
  title: 'Overview',
  allWell: 'Everything is working.',
  attention: 'Needs attention',
  sites: (count) => (count === 1 ? '1 site' : `${count} sites`),
  others: (count) => `${count} more`,
  showEach: 'Show each',
  orderFailed: {
    'voucher.not-created': (name) => `${name}: the last voucher could not be created`,
    'voucher.not-revoked': (name) => `${name}: a voucher could not be revoked`,
  },
  since: (time) => `Since ${time}.`,
  at: (time) => `On ${time}.`,
  siteNeverSynced: (name) => `${name}: not synced yet`,
  overdue: (name, count) =>
    `${name}: ${count === 1 ? 'one expired voucher is' : `${count} expired vouchers are`} still on the controller`,
  overdueDetail: (time) =>
    `Gastpass deletes vouchers there after their end, and keeps trying. The first one ended on ${time}.`,
  overdueAdvice: {
    limit:
      'Today’s limit of deletions has been reached. To lift it, choose “Delete without a limit” under “Retention” in the settings.',
    console:
      'Please check that the controller can be reached and that the account may delete vouchers there. If nothing helps, delete the vouchers on the controller yourself.',
  },
  clockDoubted: 'The clock of the server may be wrong; for now, old data is not deleted',
  toHealth: 'Check the clock',
  toSite: 'View site',
  toConnection: 'Change connection',
  toCertificate: 'Check certificate',
  hints: 'Good to know',
  problems: (count) => (count === 1 ? 'problem' : 'problems'),
  today: 'created today',
  todayNote: 'since midnight',
  ofLastDays: (days) => `of the last ${days}\u00a0days`,
  failingSites: 'sites',
  failingClock: 'clock',
  openIntents: (count) =>
    `${count === 1 ? '1 voucher' : `${count} vouchers`} still waiting for the controller’s answer; no action is needed`,
  untrustedProxy: (ip) =>
    `${ip} sends X-Forwarded-For but is not a trusted proxy: all users behind it count as one. If it is your proxy, let Gastpass trust it; otherwise nothing needs to be done.`,
  noSites: 'No site set up yet',
  noKeys: 'No API key yet: needed only if another program creates vouchers',
  mend: 'View',
  perDay: 'Vouchers per day',
  hasNumericMonths: false,
  perDayText: (days, total) =>
    `${total === 1 ? '1 voucher' : `${total.toLocaleString('en')} vouchers`} in ${days}\u00a0days`,
  asTable: 'Figures as a table',
  date: 'Day',
  count: 'Count',
  perSite: (days) => `By site, last ${days}\u00a0days`,
  share: 'Vouchers',
  ended: 'ended',
  controllers: 'Controller',
  reachable: 'reachable',
  away: 'failing',
  neverSynced: 'not synced yet',
  synced: (time) => `synced ${time}`,
};

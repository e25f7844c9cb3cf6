// The words of the overview in English.

import type { OverviewWords } from './overview-de.ts';

export const overviewEn: OverviewWords = {
  title: 'Overview',
  allWell: 'All is well.',
  attention: 'Needs attention',
  siteAway: (name, since) => `${name}: controller not reachable since ${since}`,
  webhookFailing: (address, failures) =>
    `Webhook ${address}: the last ${failures === 1 ? 'try' : `${failures} tries`} failed`,
  webhookOff: (address) => `Webhook ${address} was switched off`,
  openIntents: (count) => `${count} vouchers without an answer of the controller; they settle by themselves`,
  noSites: 'No site yet',
  noKeys: 'No API key yet: only needed when another program makes vouchers',
  mend: 'Look at it',
  perDay: 'Vouchers per day',
  perDayText: (days, total) => `${total} vouchers in ${days} days`,
  date: 'Day',
  count: 'Count',
  perSite: (days) => `By site, last ${days} days`,
  share: 'Vouchers',
  controllers: 'Controllers',
  reachable: 'reachable',
  away: 'not reachable',
  neverSynced: 'not synced yet',
  lastSync: 'Last sync',
};

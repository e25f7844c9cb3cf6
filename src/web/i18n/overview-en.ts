// English messages for the overview.

import type { OverviewMessages } from './overview-de.ts';

export const overviewEn: OverviewMessages = {
  title: 'Overview',
  allWell: 'All is well.',
  attention: 'Needs attention',
  siteAway: (name, since) => `${name}: sync has been failing since ${since}`,
  webhookFailing: (url, failures) =>
    `Webhook ${url}: the last ${failures === 1 ? 'attempt' : `${failures} attempts`} failed`,
  webhookOff: (url) => `Webhook ${url} was switched off`,
  webhookGaveUp: (url, count, days) =>
    `Webhook ${url}: ${count === 1 ? 'one message' : `${count} messages`} given up after all attempts in the last ${days} days`,
  siteNeverSynced: (name) => `${name}: never synced yet`,
  openIntents: (count) =>
    `${count === 1 ? '1 voucher' : `${count} vouchers`} still waiting for the controller’s answer; this settles by itself`,
  untrustedProxy: (ip, setting) =>
    `${ip} sends X-Forwarded-For but is not a trusted proxy: all users behind it count as one. If it is your proxy, set ${setting} and restart the service; otherwise nothing needs to be done.`,
  noSites: 'No site set up yet',
  noKeys: 'No API key yet: needed only if another program creates vouchers',
  mend: 'View',
  perDay: 'Vouchers per day',
  perDayText: (days, total) => `${total} vouchers in ${days} days`,
  date: 'Day',
  count: 'Count',
  perSite: (days) => `By site, last ${days} days`,
  share: 'Vouchers',
  ended: 'ended',
  controllers: 'Controller',
  reachable: 'reachable',
  away: 'not reachable',
  neverSynced: 'not synced yet',
  lastSync: 'Last sync',
};

// English texts about the health of sites: their controllers, time zones, certificates and syncs.

import { type SaidOf, titled } from '../health/health-said.ts';
import { failuresEn } from '../texts/failure-texts-en.ts';
import { lostVouchersEn } from '../vouchers/texts/lost-voucher-texts-en.ts';
import { sitesEn } from './site-texts-en.ts';

const renew = (isPinned: boolean) =>
  isPinned ? 'Renew it on the controller, then confirm the new certificate.' : 'Renew it on the controller.';

export const saidOfSitesEn = {
  ...titled(({ site }) => site, {
    'site-ok': ({ version }) => ({ text: `The controller works${version ? `, version ${version}` : ''}` }),
    'site-inactive': ({ isUnconfirmed }) => ({
      text: isUnconfirmed ? 'Inactive: it has not been tested since it was moved in' : 'Inactive',
    }),
    'site-failing': ({ cause, detail }, { mend }) => ({
      text: `${failuresEn.causes[cause ?? 'unknown']}.`,
      todo: mend(cause),
      detail,
    }),
  }),
  'site-zone-unknown': ({ site, zone }) => ({
    title: `Time zone of ${site}`,
    text: sitesEn.timeZoneUnknown(zone),
    todo: sitesEn.timeZoneChoose,
  }),
  ...titled(({ site }) => `Certificate of ${site}`, {
    'certificate-ok': ({ endsAtMs }, { day }) => ({ text: `Valid until ${day(endsAtMs)}` }),
    'certificate-insecure': () => ({
      text: 'Any certificate is accepted: others on the network could read credentials and codes.',
      todo: 'Change the connection and confirm the certificate of the controller.',
    }),
    'certificate-expired': ({ endsAtMs, isPinned }, { day }) => ({
      text: `Expired on ${day(endsAtMs)}.`,
      todo: renew(isPinned),
    }),
    'certificate-ending': ({ endsAtMs, days, isPinned }, { day }) => ({
      text: `Expires on ${day(endsAtMs)}${days > 1 ? `, in ${days} days` : ''}.`,
      todo: renew(isPinned),
    }),
  }),
  ...titled(({ site }) => `Sync of ${site}`, {
    'sync-ok': ({ atMs }, { time }) => ({ text: `Last successful: ${time(atMs)}` }),
    'sync-never': () => ({ text: 'Not yet done' }),
    'sync-future': ({ atMs }, { time }) => ({
      text: `The last sync is dated in the future: ${time(atMs)}.`,
      todo: 'Check the clock of the server, then sync the site.',
    }),
    'sync-stale': ({ atMs }, { time }) => ({
      text: `${atMs === null ? 'No sync yet' : `No sync since ${time(atMs)}`}; the usage shown is out of date.`,
      todo: 'Sync the site now. If that does not help, restart the service.',
    }),
    'sync-failing': ({ atMs, detail }, { time }) => ({
      text: atMs === null ? 'No success yet.' : `No success since ${time(atMs)}.`,
      todo: 'The service keeps trying.',
      detail,
    }),
  }),
  'vouchers-lost': ({ site, count, noticedAtMs }, { time }) => ({
    title: `Vouchers of ${site}`,
    text: `${lostVouchersEn.some(count)}, noticed ${time(noticedAtMs)}.`,
    todo: 'In the browser, create them again or note that they are not needed.',
  }),
} satisfies Partial<SaidOf>;

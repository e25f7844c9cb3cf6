// English texts about the health of sites: their controllers, certificates and syncs.

import { failureGroupOf, isCertificateCause } from '../../../domain/controller.ts';
import type { SaidOf } from '../../health-said.ts';

const FAILING = {
  login: 'The controller refuses the login.',
  away: 'The controller cannot be reached.',
  other: 'The controller does not work.',
};

const renew = (isPinned: boolean) =>
  isPinned ? 'Renew it on the controller, then confirm the new certificate.' : 'Renew it on the controller.';

export const saidOfSitesEn = {
  'site-ok': ({ site, version }) => ({
    title: site,
    text: `The controller works${version ? `, version ${version}` : ''}`,
  }),
  'site-inactive': ({ site, isUnconfirmed }) => ({
    title: site,
    text: isUnconfirmed ? 'Inactive: it has not been tested since it was moved in' : 'Inactive',
  }),
  'site-failing': ({ site, cause, detail }, { mend }) => ({
    title: site,
    text: isCertificateCause(cause)
      ? 'The certificate of the controller has changed.'
      : FAILING[failureGroupOf(cause)],
    todo: mend(cause),
    detail,
  }),
  'certificate-ok': ({ site, endsAtMs }, { day }) => ({
    title: `Certificate of ${site}`,
    text: `Valid until ${day(endsAtMs)}`,
  }),
  'certificate-insecure': ({ site }) => ({
    title: `Certificate of ${site}`,
    text: 'Any certificate is accepted: others on the network could read credentials and codes.',
    todo: 'Change the connection and confirm the certificate of the controller.',
  }),
  'certificate-expired': ({ site, endsAtMs, isPinned }, { day }) => ({
    title: `Certificate of ${site}`,
    text: `Expired on ${day(endsAtMs)}.`,
    todo: renew(isPinned),
  }),
  'certificate-ending': ({ site, endsAtMs, days, isPinned }, { day }) => ({
    title: `Certificate of ${site}`,
    text: `Expires on ${day(endsAtMs)}${days > 1 ? `, in ${days} days` : ''}.`,
    todo: renew(isPinned),
  }),
  'sync-ok': ({ site, atMs }, { time }) => ({
    title: `Sync of ${site}`,
    text: `Last successful: ${time(atMs)}`,
  }),
  'sync-never': ({ site }) => ({ title: `Sync of ${site}`, text: 'Not yet done' }),
  'sync-future': ({ site, atMs }, { time }) => ({
    title: `Sync of ${site}`,
    text: `The last sync is dated in the future: ${time(atMs)}.`,
    todo: 'Check the clock of the server, then sync the site.',
  }),
  'sync-stale': ({ site, atMs }, { time }) => ({
    title: `Sync of ${site}`,
    text: `${atMs === null ? 'No sync yet' : `No sync since ${time(atMs)}`}; the usage shown is out of date.`,
    todo: 'Sync the site now. If that does not help, restart the service.',
  }),
  'sync-failing': ({ site, atMs, detail }, { time }) => ({
    title: `Sync of ${site}`,
    text: atMs === null ? 'No success yet.' : `No success since ${time(atMs)}.`,
    todo: 'The service keeps trying.',
    detail,
  }),
} satisfies Partial<SaidOf>;

// German texts about the health of sites: their controllers, time zones, certificates and syncs.

import { type SaidOf, titled } from '../health/health-said.ts';
import { failuresDe } from '../texts/failure-texts-de.ts';
import { lostVouchersDe } from '../vouchers/texts/lost-voucher-texts-de.ts';
import { sitesDe } from './site-texts-de.ts';

const renew = (isPinned: boolean) =>
  isPinned
    ? 'Auf der Konsole erneuern und danach das neue Zertifikat bestätigen.'
    : 'Auf der Konsole erneuern.';

export const saidOfSitesDe = {
  ...titled(({ site }) => site, {
    'site-ok': ({ version }) => ({
      text: `Die Konsole funktioniert${version ? `, Version ${version}` : ''}`,
    }),
    'site-inactive': ({ isUnconfirmed }) => ({
      text: isUnconfirmed ? 'Deaktiviert: seit der Übernahme noch nicht getestet' : 'Deaktiviert',
    }),
    'site-failing': ({ cause, detail }, { mend }) => ({
      text: `${failuresDe.causes[cause ?? 'unknown']}.`,
      todo: mend(cause),
      detail,
    }),
  }),
  'site-zone-unknown': ({ site, zone }) => ({
    title: `Zeitzone von ${site}`,
    text: sitesDe.timeZoneUnknown(zone),
    todo: sitesDe.timeZoneChoose,
  }),
  ...titled(({ site }) => `Zertifikat von ${site}`, {
    'certificate-ok': ({ endsAtMs }, { day }) => ({ text: `Gültig bis ${day(endsAtMs)}` }),
    'certificate-insecure': () => ({
      text: 'Jedes Zertifikat wird angenommen: Wer im Netz mitliest, erfährt Zugangsdaten und Codes.',
      todo: 'Den Zugang ändern und das Zertifikat der Konsole bestätigen.',
    }),
    'certificate-expired': ({ endsAtMs, isPinned }, { day }) => ({
      text: `Abgelaufen am ${day(endsAtMs)}.`,
      todo: renew(isPinned),
    }),
    'certificate-ending': ({ endsAtMs, days, isPinned }, { day }) => ({
      text: `Läuft am ${day(endsAtMs)} ab${days > 1 ? `, in ${days} Tagen` : ''}.`,
      todo: renew(isPinned),
    }),
  }),
  ...titled(({ site }) => `Abgleich von ${site}`, {
    'sync-ok': ({ atMs }, { time }) => ({ text: `Zuletzt erfolgreich: ${time(atMs)}\u00a0Uhr` }),
    'sync-never': () => ({ text: 'Steht noch aus' }),
    'sync-future': ({ atMs }, { time }) => ({
      text: `Der letzte Abgleich trägt ein Datum in der Zukunft: ${time(atMs)}\u00a0Uhr.`,
      todo: 'Die Uhr des Servers prüfen und den Standort dann abgleichen.',
    }),
    'sync-stale': ({ atMs }, { time }) => ({
      text: `${atMs === null ? 'Noch kein Abgleich' : `Seit ${time(atMs)}\u00a0Uhr kein Abgleich`}; die angezeigte Nutzung ist veraltet.`,
      todo: 'Den Standort jetzt abgleichen. Hilft das nicht, den Dienst neu starten.',
    }),
    'sync-failing': ({ atMs, detail }, { time }) => ({
      text: `Schlägt fehl; ${atMs === null ? 'noch nie erfolgreich' : `zuletzt erfolgreich: ${time(atMs)}\u00a0Uhr`}.`,
      todo: 'Der Dienst versucht es weiter.',
      detail,
    }),
  }),
  'vouchers-lost': ({ site, count, noticedAtMs }, { time }) => ({
    title: `Voucher von ${site}`,
    text: `${lostVouchersDe.some(count)}, bemerkt am ${time(noticedAtMs)}\u00a0Uhr.`,
    todo: 'Im Browser neu erstellen oder als erledigt vermerken.',
  }),
} satisfies Partial<SaidOf>;

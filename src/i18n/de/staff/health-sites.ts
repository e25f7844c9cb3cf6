// German texts about the health of sites: their controllers, certificates and syncs.

import { failureGroupOf, isCertificateCause } from '../../../domain/controller.ts';
import type { SaidOf } from '../../health-said.ts';

const FAILING = {
  login: 'Der Controller lehnt die Anmeldung ab.',
  away: 'Der Controller ist nicht erreichbar.',
  other: 'Der Controller funktioniert nicht.',
};

const renew = (isPinned: boolean) =>
  isPinned
    ? 'Auf dem Controller erneuern und danach das neue Zertifikat bestätigen.'
    : 'Auf dem Controller erneuern.';

export const saidOfSitesDe = {
  'site-ok': ({ site, version }) => ({
    title: site,
    text: `Der Controller funktioniert${version ? `, Version ${version}` : ''}`,
  }),
  'site-inactive': ({ site, isUnconfirmed }) => ({
    title: site,
    text: isUnconfirmed ? 'Deaktiviert: seit der Übernahme noch nicht getestet' : 'Deaktiviert',
  }),
  'site-failing': ({ site, cause, detail }, { mend }) => ({
    title: site,
    text: isCertificateCause(cause)
      ? 'Das Zertifikat des Controllers hat sich geändert.'
      : FAILING[failureGroupOf(cause)],
    todo: mend(cause),
    detail,
  }),
  'certificate-ok': ({ site, endsAtMs }, { day }) => ({
    title: `Zertifikat von ${site}`,
    text: `Gültig bis ${day(endsAtMs)}`,
  }),
  'certificate-insecure': ({ site }) => ({
    title: `Zertifikat von ${site}`,
    text: 'Jedes Zertifikat wird angenommen: Wer im Netz mitliest, erfährt Zugangsdaten und Codes.',
    todo: 'Den Zugang ändern und das Zertifikat des Controllers bestätigen.',
  }),
  'certificate-expired': ({ site, endsAtMs, isPinned }, { day }) => ({
    title: `Zertifikat von ${site}`,
    text: `Abgelaufen am ${day(endsAtMs)}.`,
    todo: renew(isPinned),
  }),
  'certificate-ending': ({ site, endsAtMs, days, isPinned }, { day }) => ({
    title: `Zertifikat von ${site}`,
    text: `Läuft am ${day(endsAtMs)} ab${days > 1 ? `, in ${days} Tagen` : ''}.`,
    todo: renew(isPinned),
  }),
  'sync-ok': ({ site, atMs }, { time }) => ({
    title: `Abgleich von ${site}`,
    text: `Zuletzt erfolgreich: ${time(atMs)}`,
  }),
  'sync-never': ({ site }) => ({ title: `Abgleich von ${site}`, text: 'Steht noch aus' }),
  'sync-future': ({ site, atMs }, { time }) => ({
    title: `Abgleich von ${site}`,
    text: `Der letzte Abgleich trägt ein Datum in der Zukunft: ${time(atMs)}.`,
    todo: 'Die Uhr des Servers prüfen und den Standort dann abgleichen.',
  }),
  'sync-stale': ({ site, atMs }, { time }) => ({
    title: `Abgleich von ${site}`,
    text: `${atMs === null ? 'Noch kein Abgleich' : `Seit ${time(atMs)} kein Abgleich`}; die angezeigte Nutzung ist veraltet.`,
    todo: 'Den Standort jetzt abgleichen. Hilft das nicht, den Dienst neu starten.',
  }),
  'sync-failing': ({ site, atMs, detail }, { time }) => ({
    title: `Abgleich von ${site}`,
    text: `Schlägt fehl; ${atMs === null ? 'noch nie erfolgreich' : `zuletzt erfolgreich: ${time(atMs)}`}.`,
    todo: 'Der Dienst versucht es weiter.',
    detail,
  }),
} satisfies Partial<SaidOf>;

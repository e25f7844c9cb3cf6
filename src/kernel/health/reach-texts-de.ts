// German texts about how users and programs reach the service: the public address, proxies and API
// keys.

import { type SaidOf, titled } from './health-said.ts';

/** The maximum number of API keys that one text lists. */
const MAX_KEYS = 5;

const OTHER_NAME = 'ERR_TLS_CERT_ALTNAME_INVALID';
const HAIRPIN =
  'Funktioniert die Adresse von außerhalb, etwa auf einem Telefon mit mobilen Daten, fehlt dem Router vielleicht Hairpin-NAT, sodass seine öffentliche Adresse von innen nicht funktioniert. Dann ist nichts zu tun.';

export const saidOfReachDe = {
  ...titled('Öffentliche Adresse', {
    'address-ok': ({ url, source }) => ({
      text: `${url}, ${source === 'environment' ? 'aus PUBLIC_URL' : 'im Browser festgelegt'}`,
    }),
    'address-plain': ({ url, source }) => ({
      text: `${source === 'environment' ? 'PUBLIC_URL' : 'Die öffentliche Adresse'} ist ${url}, beim Dienst kommen Anfragen aber unverschlüsselt an. Cookies sind deshalb nicht auf HTTPS beschränkt.`,
      todo: 'In TRUSTED_PROXIES die Adresse des Proxys eintragen und den Dienst neu starten.',
    }),
    'address-silent': ({ url, detail }) => ({
      text: `${url} antwortet diesem Server nicht (${detail}).`,
      todo: `Den Namen im DNS, die Portweiterleitung des Routers und den Proxy prüfen. ${HAIRPIN}`,
    }),
    'address-redirected': ({ url, to }) => ({
      text: `${url} leitet auf ${to} um. Links und Geräte funktionieren dann vielleicht nicht.`,
      todo: `Sollen die Benutzer ${to} öffnen, dies als öffentliche Adresse einstellen. Sonst den Proxy so einstellen, dass er Anfragen weiterreicht. ${HAIRPIN}`,
    }),
    'address-of-other': ({ url, status, path }) => ({
      text: `Unter ${url} antwortet nicht Gastpass, sondern ein anderes Programm (Status ${status}).`,
      todo: `Dafür sorgen, dass die Adresse zu Gastpass führt und der Proxy ${path} weiterreicht. ${HAIRPIN}`,
    }),
    'address-certificate-expired': ({ url, endsAtMs }, { day }) => ({
      text: `Das Zertifikat von ${url} ist am ${day(endsAtMs)} abgelaufen. Browser lehnen es ab.`,
      todo: 'Erneuern und prüfen, warum es sich nicht selbst erneuert hat: Näheres steht im Log des Proxys.',
    }),
    'address-certificate-ending': ({ url, endsAtMs, days }, { day }) => ({
      text: `Das Zertifikat von ${url} läuft am ${day(endsAtMs)} ab${days > 1 ? `, in ${days} Tagen` : ''}.`,
      todo: 'Erneuern. Sollte es sich selbst erneuern, prüfen, warum das nicht geschieht: Näheres steht im Log des Proxys.',
    }),
    'address-certificate-refused': ({ url, error }) => ({
      text:
        error === OTHER_NAME
          ? `Das Zertifikat von ${url} gilt für einen anderen Namen. Browser lehnen es ab.`
          : `Dieser Server vertraut dem Zertifikat von ${url} nicht (${error}). Browser lehnen es vielleicht ebenfalls ab.`,
      todo:
        error === OTHER_NAME
          ? `Ein Zertifikat für diesen Namen verwenden. ${HAIRPIN}`
          : `Ein Zertifikat einer öffentlichen Stelle samt Zwischenzertifikaten verwenden. Stammt es von einer eigenen Stelle, in NODE_EXTRA_CA_CERTS die Datei dieser Stelle angeben. ${HAIRPIN}`,
    }),
  }),
  'proxy-untrusted': ({ ip, proxies }) => ({
    title: `Proxy ${ip}`,
    text: 'Sendet X-Forwarded-For, ist aber nicht als Proxy eingetragen: Alle Benutzer dahinter zählen als einer.',
    todo: 'Ist es nicht der eigene Proxy, ist nichts zu tun. Sonst so einstellen und den Dienst neu starten:',
    command: `TRUSTED_PROXIES=${proxies}`,
  }),
  'keys-ending': ({ keys, firstAtMs }, { names, time }) => ({
    title: 'API-Schlüssel',
    text:
      keys.length === 1
        ? `${keys[0]} läuft am ${time(firstAtMs)}\u00a0Uhr ab. Anfragen mit diesem Schlüssel werden dann abgelehnt.`
        : `${names(keys, (count) => `${count} weitere`, MAX_KEYS)} laufen bald ab, der erste am ${time(firstAtMs)}\u00a0Uhr. Anfragen mit einem abgelaufenen Schlüssel werden abgelehnt.`,
    todo: 'Den Schlüssel verlängern oder einen neuen erstellen und in dem Programm eintragen, das ihn verwendet.',
  }),
} satisfies Partial<SaidOf>;

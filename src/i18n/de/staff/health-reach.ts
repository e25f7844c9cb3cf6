// German texts about how users and programs reach the service: the public address, proxies and API keys.

import { type SaidOf, titled } from '../../health-said.ts';

/** The maximum number of API keys that one text lists. */
const MAX_KEYS = 5;

export const saidOfReachDe = {
  ...titled('Öffentliche Adresse', {
    'address-ok': ({ url, source }) => ({
      text: `${url}, ${source === 'environment' ? 'aus PUBLIC_URL' : 'im Browser festgelegt'}`,
    }),
    'address-plain': ({ url, source }) => ({
      text: `${source === 'environment' ? 'PUBLIC_URL' : 'Die öffentliche Adresse'} ist ${url}, beim Dienst kommen Anfragen aber unverschlüsselt an. Cookies sind deshalb nicht auf HTTPS beschränkt.`,
      todo: 'In TRUSTED_PROXIES die Adresse des Proxys eintragen und den Dienst neu starten.',
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

// English texts about how users and programs reach the service: the public address, proxies and API keys.

import { type SaidOf, titled } from '../../health-said.ts';

/** The maximum number of API keys that one text lists. */
const MAX_KEYS = 5;

export const saidOfReachEn = {
  ...titled('Public address', {
    'address-ok': ({ url, source }) => ({
      text: `${url}, ${source === 'environment' ? 'from PUBLIC_URL' : 'set in the browser'}`,
    }),
    'address-plain': ({ url, source }) => ({
      text: `${source === 'environment' ? 'PUBLIC_URL' : 'The public address'} is ${url}, but requests reach the service unencrypted, so cookies are not limited to HTTPS.`,
      todo: 'Set TRUSTED_PROXIES to the address of the proxy and restart the service.',
    }),
  }),
  'proxy-untrusted': ({ ip, proxies }) => ({
    title: `Proxy ${ip}`,
    text: 'Sends X-Forwarded-For but is not trusted: all users behind it count as one.',
    todo: 'If it is not your proxy, there is nothing to do. If it is, set this and restart the service:',
    command: `TRUSTED_PROXIES=${proxies}`,
  }),
  'keys-ending': ({ keys, firstAtMs }, { names, time }) => ({
    title: 'API keys',
    text:
      keys.length === 1
        ? `${keys[0]} expires on ${time(firstAtMs)}. Requests with it are then refused.`
        : `${names(keys, (count) => `${count} more`, MAX_KEYS)} expire soon, the first one on ${time(firstAtMs)}. Requests with an expired key are refused.`,
    todo: 'Extend the key, or create a new one and enter it in the program that uses the key.',
  }),
} satisfies Partial<SaidOf>;

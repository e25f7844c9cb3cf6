// English texts about how users and programs reach the service: the public address, proxies and API
// keys.

import { type SaidOf, titled } from './health-said.ts';

/** The maximum number of API keys that one text lists. */
const MAX_KEYS = 5;

const OTHER_NAME = 'ERR_TLS_CERT_ALTNAME_INVALID';
const HAIRPIN =
  'If the address works from elsewhere, for example from a phone with mobile data, the router may lack hairpin NAT, so that its public address does not work from inside. Then there is nothing to do.';

export const saidOfReachEn = {
  ...titled('Public address', {
    'address-ok': ({ url, source }) => ({
      text: `${url}, ${source === 'environment' ? 'from PUBLIC_URL' : 'set in the browser'}`,
    }),
    'address-plain': ({ url, source }) => ({
      text: `${source === 'environment' ? 'PUBLIC_URL' : 'The public address'} is ${url}, but requests reach the service unencrypted, so cookies are not limited to HTTPS.`,
      todo: 'Set TRUSTED_PROXIES to the address of the proxy and restart the service.',
    }),
    'address-silent': ({ url, detail }) => ({
      text: `${url} does not answer this server (${detail}).`,
      todo: `Check the name in DNS, the port forwarding of the router, and the proxy. ${HAIRPIN}`,
    }),
    'address-redirected': ({ url, to }) => ({
      text: `${url} redirects to ${to}. Links and devices may fail.`,
      todo: `If users should open ${to}, make it the public address. Otherwise let the proxy pass on requests. ${HAIRPIN}`,
    }),
    'address-of-other': ({ url, status, path }) => ({
      text: `Not Gastpass but another program answers at ${url} (status ${status}).`,
      todo: `Let the address lead to Gastpass, and the proxy pass on ${path}. ${HAIRPIN}`,
    }),
    'address-certificate-expired': ({ url, endsAtMs }, { day }) => ({
      text: `The certificate of ${url} expired on ${day(endsAtMs)}. Browsers refuse it.`,
      todo: 'Renew it, and check why it was not renewed by itself: the log of the proxy says more.',
    }),
    'address-certificate-ending': ({ url, endsAtMs, days }, { day }) => ({
      text: `The certificate of ${url} expires on ${day(endsAtMs)}${days > 1 ? `, in ${days} days` : ''}.`,
      todo: 'Renew it. If it renews itself, check why it has not done so: the log of the proxy says more.',
    }),
    'address-certificate-refused': ({ url, error }) => ({
      text:
        error === OTHER_NAME
          ? `The certificate of ${url} is for another name. Browsers refuse it.`
          : `This server does not trust the certificate of ${url} (${error}). Browsers may refuse it, too.`,
      todo:
        error === OTHER_NAME
          ? `Use a certificate for this name. ${HAIRPIN}`
          : `Use a certificate of a public authority, together with its intermediate certificates. If it is from an authority of your own, set NODE_EXTRA_CA_CERTS to the file of that authority. ${HAIRPIN}`,
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

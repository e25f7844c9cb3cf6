// The public address: the origin under which users reach the service. PUBLIC_URL in the environment takes precedence
// over the address that an administrator has set in the browser.

import type { Settings } from './settings.ts';

export interface PublicUrl {
  /** Without a slash at the end, such as `https://wifi.example.org`. */
  url: string;
  source: 'environment' | 'browser';
}

export function choosePublicUrl(
  fromEnvironment: string | undefined,
  { publicUrl }: Pick<Settings, 'publicUrl'>,
): PublicUrl | undefined {
  if (fromEnvironment !== undefined) return { url: fromEnvironment, source: 'environment' };
  return publicUrl === null ? undefined : { url: publicUrl, source: 'browser' };
}

const MAX_TYPED_LENGTH = 500;

/**
 * The origin of an address that was typed or copied from a browser; a missing scheme is added. Undefined if it is no
 * address of a website.
 */
export function originOf(typed: string, scheme: 'http' | 'https' = 'https'): string | undefined {
  if (typed.length > MAX_TYPED_LENGTH || /\s/.test(typed)) return undefined;
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `${scheme}://${typed}`);
  const isWebsite = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isWebsite && url.username === '' && url.password === '' ? url.origin : undefined;
}

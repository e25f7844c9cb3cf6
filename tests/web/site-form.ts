// Fills in the forms of the site wizard: each step sends the hidden fields of the page before it.

import type { SimulatedConsole } from '../../packages/unifi-console/src/index.ts';
import type { FormFields, Page, WebClient } from './web-client.ts';

type Fields = Record<string, string>;

/** The hidden fields of a page, without the form token, because each client sends its own. */
export function hiddenOf(text: string): Fields {
  const fields = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
  const { token: _, ...rest }: Fields = Object.fromEntries(
    fields.map(([, name, value]) => [name ?? '', (value ?? '').replaceAll('&quot;', '"')]),
  );
  return rest;
}

/** The fields of the last step with these sites ticked: the hidden fields, the names and the ticks. */
export function ticked(text: string, site: string | string[]): FormFields {
  const names = [...text.matchAll(/<input id="name-[^"]*" name="(name-[^"]+)" value="([^"]*)"/g)];
  return { ...hiddenOf(text), ...Object.fromEntries(names.map(([, name, value]) => [name, value])), site };
}

export const pinOf = ({ fingerprint256 }: SimulatedConsole) => fingerprint256.replaceAll(':', '');

export function credentialsOf(console: SimulatedConsole, kind: string): Fields {
  const { apiKey, username, password } = console;
  return kind === 'unifi' ? { 'api-key': apiKey } : { username, password };
}

/** Goes to the page that asks for the site; the last step sends the hidden fields of that page. */
export async function loginTo(
  webClient: WebClient,
  console: SimulatedConsole,
  fields: Fields = {},
  { path = '/sites/new', language = 'de' } = {},
): Promise<Page> {
  const headers = { 'accept-language': language };
  const kind = fields.kind ?? 'unifi';
  const start = { kind, url: console.url, trust: pinOf(console) };
  return webClient.post(`${path}/site`, { ...start, ...credentialsOf(console, kind), ...fields }, headers);
}

// GET /.well-known/security.txt (RFC 9116): whom to tell about a vulnerability of this installation. It is served only
// if the administrator has set a contact.

import type { Handler } from '../../platform/http/handler.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { readOnly } from '../health/operations-handler.ts';
import type { PublicUrl } from './public-url.ts';

const PATH = '/.well-known/security.txt';
/** How long the file is valid. RFC 9116 recommends less than a year. */
const VALID_MS = 180 * 24 * 60 * 60 * 1_000;

interface Deps {
  contact: string | undefined;
  readPublicUrl(): Promise<PublicUrl | undefined>;
  clock: Clock;
}

export function makeSecurityTxt({ contact, readPublicUrl, clock }: Deps): Record<string, Handler> {
  if (contact === undefined) return {};
  return {
    [PATH]: readOnly(async () => {
      const expires = new Date(clock.nowMs() + VALID_MS).toISOString().replace(/\.\d+Z$/, 'Z');
      const lines = [`Contact: ${contact}`, `Expires: ${expires}`, 'Preferred-Languages: de, en'];
      // If the database is unavailable, the file leaves out its own address, which is optional.
      const { url = '' } = (await readPublicUrl().catch(() => undefined)) ?? {};
      if (url.startsWith('https:')) lines.push(`Canonical: ${url}${PATH}`);
      return {
        status: 200,
        headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' },
        body: `${lines.join('\n')}\n`,
      };
    }),
  };
}

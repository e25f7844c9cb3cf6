// The response for a file download: the browser saves the file, and no cache stores it.

import { calendarDate } from '../../platform/time/calendar-date.ts';
import type { PageContext } from './context.ts';

/** The maximum length of each part of a file name. The browser's save dialog would cut off longer names. */
const MAX_PART_LENGTH = 60;
const UMLAUTS: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue', ß: 'ss' };

interface Download {
  name: string;
  type: string;
  body: string | Buffer;
}

export function download({ hono }: PageContext, { name, type, body }: Download): Response {
  return hono.body(typeof body === 'string' ? body : new Uint8Array(body), 200, {
    'content-type': type,
    'content-disposition': dispositionOf(name),
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
}

/** Joins the parts and the date: "Haus-Süd_Sommerfest_2026-11-16". Spaces and special characters become hyphens. */
export function datedName(
  { nowMs, timeZone }: Pick<PageContext, 'nowMs' | 'timeZone'>,
  parts: string[],
): string {
  const safe = parts.map((part) =>
    [...part.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')]
      .slice(0, MAX_PART_LENGTH)
      .join('')
      .replace(/^-+|-+$/g, ''),
  );
  return [...safe.filter((part) => part !== ''), calendarDate(nowMs, timeZone)].join('_');
}

/** A name with non-ASCII characters is sent as `filename*`, and in ASCII as `filename` for older programs. */
export function dispositionOf(name: string): string {
  const plain = name
    .replace(/[äöüÄÖÜß]/g, (letter) => UMLAUTS[letter] ?? letter)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w.-]+/g, '-');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encoded}`}`;
}

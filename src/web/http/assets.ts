// Serves stylesheets and scripts from local files. File names contain a content hash, so browsers may cache them
// indefinitely. Our own files are small and loaded at start-up; Swagger UI is large and loaded on first use.

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { HttpResponse } from '../../http/handler.ts';

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' };
const [pack, unpack] = [promisify(gzip), promisify(gunzip)];

interface File {
  name: string;
  type: keyof typeof TYPES;
}

export interface Asset {
  path: string;
  answer(headers: IncomingHttpHeaders): HttpResponse | Promise<HttpResponse>;
}

function load({ name, type }: File): Asset {
  const body = readFileSync(new URL(`assets/${name}.${type}`, import.meta.url));
  const answer = { status: 200, headers: headersOf(type), body };
  return { path: pathOf({ name, type }, body), answer: () => answer };
}

/** Reads the file on first use. Only the gzipped bytes stay in memory, because nearly every browser accepts gzip. */
function loadLater({ name, type }: File): () => Asset {
  let asset: Asset | undefined;
  return () => {
    asset ??= packed(readFileSync(new URL(import.meta.resolve(`swagger-ui-dist/${name}.${type}`))));
    return asset;
  };

  function packed(body: Buffer): Asset {
    const bytes = pack(body);
    const plain = { ...headersOf(type), vary: 'accept-encoding' };
    return {
      path: pathOf({ name, type }, body),
      async answer(headers) {
        if (!takesGzip(headers)) return { status: 200, headers: plain, body: await unpack(await bytes) };
        return { status: 200, headers: { ...plain, 'content-encoding': 'gzip' }, body: await bytes };
      },
    };
  }
}

function headersOf(type: File['type']): Record<string, string> {
  return { 'content-type': TYPES[type], 'cache-control': 'public, max-age=31536000, immutable' };
}

function pathOf({ name, type }: File, body: Buffer): string {
  return `/assets/${name}-${hash('sha256', body).slice(0, 12)}.${type}`;
}

function takesGzip(headers: IncomingHttpHeaders): boolean {
  const inputs = String(headers['accept-encoding'] ?? '').toLowerCase();
  return /(^|[ ,])(x-)?gzip(?! *; *q=0(\.0*)? *(,|$))/.test(inputs);
}

export const stylesheet = load({ name: 'style', type: 'css' });
export const script = load({ name: 'enhance', type: 'js' });
export const exploreStylesheet = load({ name: 'explore', type: 'css' });
export const exploreScript = load({ name: 'explore', type: 'js' });
export const rendererStylesheet = loadLater({ name: 'swagger-ui', type: 'css' });
export const rendererScript = loadLater({ name: 'swagger-ui-bundle', type: 'js' });

const own = [stylesheet, script, exploreStylesheet, exploreScript];
const later = [rendererStylesheet, rendererScript];

export function findAsset(
  path: string,
  headers: IncomingHttpHeaders,
): ReturnType<Asset['answer']> | undefined {
  const known = path.startsWith('/assets/swagger-ui') ? later.map((find) => find()) : own;
  return known.find((asset) => asset.path === path)?.answer(headers);
}

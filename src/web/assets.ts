// The stylesheet and the script, served from our own files under names that change with their content, so
// that browsers may keep them for ever.

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Answer } from '../http/exchange.ts';

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' };

interface Asset {
  path: string;
  answer: Answer;
}

function load(name: string, type: keyof typeof TYPES): Asset {
  const body = readFileSync(new URL(`assets/${name}.${type}`, import.meta.url));
  const headers = { 'content-type': TYPES[type], 'cache-control': 'public, max-age=31536000, immutable' };
  return {
    path: `/assets/${name}-${hash('sha256', body).slice(0, 12)}.${type}`,
    answer: { status: 200, headers, body },
  };
}

export const stylesheet = load('style', 'css');
export const script = load('comfort', 'js');

export function findAsset(path: string): Answer | undefined {
  return [stylesheet, script].find((asset) => asset.path === path)?.answer;
}

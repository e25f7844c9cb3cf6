// The stylesheets and scripts of the pages. Their URLs change with the content, so browsers may cache them
// indefinitely: our own files are named after a hash of the content, those of Swagger UI after its version.

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serveStatic } from '@hono/node-server/serve-static';
import type { Hono } from 'hono';
import type { PageEnv } from './context.ts';

const SWAGGER_UI = new URL(import.meta.resolve('swagger-ui-dist/package.json'));
const { version } = JSON.parse(readFileSync(SWAGGER_UI, 'utf8'));

export interface Asset {
  path: string;
  file: string;
}

function ownAsset(name: string, type: 'css' | 'js'): Asset {
  const file = fileURLToPath(new URL(`assets/${name}.${type}`, import.meta.url));
  return { path: `/assets/${name}-${hash('sha256', readFileSync(file)).slice(0, 12)}.${type}`, file };
}

function swaggerAsset(name: string, type: 'css' | 'js'): Asset {
  const file = fileURLToPath(new URL(`${name}.${type}`, SWAGGER_UI));
  return { path: `/assets/${name}-${version}.${type}`, file };
}

export const stylesheet = ownAsset('style', 'css');
export const script = ownAsset('enhance', 'js');
export const exploreStylesheet = ownAsset('explore', 'css');
export const exploreScript = ownAsset('explore', 'js');
export const swaggerStylesheet = swaggerAsset('swagger-ui', 'css');
export const swaggerScript = swaggerAsset('swagger-ui-bundle', 'js');

const ASSETS = [stylesheet, script, exploreStylesheet, exploreScript, swaggerStylesheet, swaggerScript];

export function serveAssets(app: Hono<PageEnv>): void {
  for (const { path, file } of ASSETS)
    app.get(
      path,
      serveStatic({
        path: file,
        onFound: (_, c) => c.header('cache-control', 'public, max-age=31536000, immutable'),
      }),
    );
}

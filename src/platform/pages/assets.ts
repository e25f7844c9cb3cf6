// The stylesheets, scripts, fonts and icons of the pages. Most URLs contain a hash of the content or, for Swagger UI,
// its version. Such a URL changes with the content, so browsers may cache the file for a long time. The URLs of fonts
// and of stylesheets for rolls contain neither, so browsers cache these files for a week only.

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serveStatic } from '@hono/node-server/serve-static';
import type { MiddlewareHandler } from 'hono';
import { CUTS, type Cut, readFontFile } from '../drawing/fonts.ts';
import { inkOn } from '../drawing/ink-on.ts';
import { makeWebFont } from '../drawing/web-font.ts';
import { LANGUAGES } from '../text/language.ts';

const swaggerFile = (name: string) => fileURLToPath(import.meta.resolve(`#swagger-ui/${name}`));
const { version } = JSON.parse(readFileSync(swaggerFile('package.json'), 'utf8'));
const FOR_EVER = 'public, max-age=31536000, immutable';
const FOR_A_WEEK = 'public, max-age=604800';
const TYPES = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
};

export interface Asset {
  path: string;
  serve: MiddlewareHandler;
}

/** CSS selectors with which the slip designer hides the steps in languages that are not on the slip. */
const STEPS_SELECTORS = LANGUAGES.map(
  (language) => `.designer:has(.no-${language}:checked) .steps-in-${language}`,
);
const STEPS_CSS = `${STEPS_SELECTORS.join(',')}{display:none}`;

/** Make a file smaller: remove comments, indentation and what else is not needed. */
const COMPACT: Partial<Record<keyof typeof TYPES, (text: string) => string>> = {
  css: (text) =>
    text
      .replace(/\/\*.*?\*\//gs, '')
      .replace(/\n\s*/g, '\n')
      .replace(/([{};,])\n/g, '$1')
      .replaceAll(';}', '}')
      .replace(/ \{/g, '{')
      .replace(/([:,]) /g, '$1')
      .replace(/ > /g, '>')
      .replace(/\b0\./g, '.'),
  // Comments have lines of their own, and no text spans several lines.
  js: (text) => text.replace(/^\s*(\/\/.*|\/\*\*.*\*\/)\n/gm, '').replace(/^\s+/gm, ''),
};

/** Our own files are small, so they are kept in memory. */
function ownAsset(name: string, type: keyof typeof TYPES, more = ''): Asset {
  const bytes = new Uint8Array(readFileSync(new URL(import.meta.resolve(`#assets/${name}.${type}`))));
  const compact = COMPACT[type];
  const body = compact ? compact(new TextDecoder().decode(bytes)) + more : bytes;
  return {
    path: `/assets/${name}-${hash('sha256', body).slice(0, 12)}.${type}`,
    serve: async (c) => c.body(body, 200, { 'content-type': TYPES[type], 'cache-control': FOR_EVER }),
  };
}

/** The files of Swagger UI are large, so they are read from disk for each request. */
function swaggerAsset(name: string, type: keyof typeof TYPES): Asset {
  return {
    path: `/assets/${name}-${version}.${type}`,
    serve: serveStatic({
      path: swaggerFile(`${name}.${type}`),
      onFound: (_, c) => c.header('cache-control', FOR_EVER),
    }),
  };
}

/** A font of printed slips, generated at the first request. paper.css contains its URL, so the URL has no hash. */
function fontAsset(cut: Cut): Asset {
  let font: Uint8Array<ArrayBuffer> | undefined;
  return {
    path: `/assets/slip-${cut}.woff`,
    serve: async (c) => {
      font ??= new Uint8Array(makeWebFont(readFontFile(cut)));
      return c.body(font, 200, { 'content-type': 'font/woff', 'cache-control': FOR_A_WEEK });
    },
  };
}

const ROLL_PATH = '/assets/roll';
const MAX_ROLL_HEIGHTS = 200;
const isRollSize = (text: string) => /^[1-9]\d{0,2}$/.test(text);

/** The URL of the stylesheet for slips on a roll. The width of the roll and the heights of the slips are in mm. */
export function rollStylesheetPath(width: number, heights: number[]): string {
  return `${ROLL_PATH}/${width}/${heights.toSorted((one, other) => one - other).join('-')}.css`;
}

/**
 * The stylesheet that sets the page size for slips on a roll. A slip that is 93 mm high has the class `high-93`. All
 * sizes come from the URL.
 */
const rollStylesheet: Asset = {
  path: `${ROLL_PATH}/:width/:file{[0-9-]+\\.css}`,
  serve: async (c) => {
    const [width = '', file = ''] = c.req.path.slice(ROLL_PATH.length + 1).split('/');
    const heights = file.replace('.css', '').split('-');
    if (heights.length > MAX_ROLL_HEIGHTS || ![width, ...heights].every(isRollSize)) return c.notFound();
    const css = heights.map(
      (height) =>
        `@page high-${height} { size: ${width}mm ${height}mm; margin: 0 }\n.high-${height} { page: high-${height} }\n`,
    );
    return c.body(css.join(''), 200, { 'content-type': TYPES.css, 'cache-control': FOR_A_WEEK });
  },
};

const COLOUR_PATH = '/assets/colour';

/** The stylesheet with the colour of a site, `#rrggbb`. */
export function colourStylesheetOf(colour: string): Asset {
  return { ...colourStylesheet, path: `${COLOUR_PATH}/${colour.slice(1)}.css` };
}

/** The colour of a site, and a colour of text that is readable on it. The colour comes from the URL. */
const colourStylesheet: Asset = {
  path: `${COLOUR_PATH}/:file{[0-9a-f]{6}\\.css}`,
  serve: async (c) => {
    const colour = `#${c.req.path.slice(COLOUR_PATH.length + 1, -'.css'.length)}`;
    const css = `:root{--site:${colour};--site-ink:${inkOn(colour)}}`;
    return c.body(css, 200, { 'content-type': TYPES.css, 'cache-control': FOR_A_WEEK });
  },
};

/** For every page. The other stylesheets are loaded after it, by the pages that need them. */
export const stylesheet = ownAsset('style', 'css');
/** For pages with fields or chips. The layout adds it to them. */
export const formStylesheet = ownAsset('forms', 'css');
/** For pages without a menu. The layout adds it to them. */
export const doorStylesheet = ownAsset('door', 'css');
export const homeStylesheet = ownAsset('home', 'css');
/** Only for the list of vouchers. */
export const listStylesheet = ownAsset('list', 'css');
/** For a voucher, a batch and the list of batches, and for the page of a guest. */
export const voucherStylesheet = ownAsset('voucher', 'css');
export const sitesStylesheet = ownAsset('sites', 'css');
export const auditStylesheet = ownAsset('audit', 'css');
/** For lists of sessions and the setup of a second factor. */
export const accountStylesheet = ownAsset('account', 'css');
/** Only for pages with slips: the print page and the slip designer. */
export const paperStylesheet = ownAsset('paper', 'css', STEPS_CSS);
/** Only for the pages that guests open on their own devices. */
export const guestStylesheet = ownAsset('guest', 'css');
/** Only for the view that the desk turns to a guest. */
export const guestViewStylesheet = ownAsset('guest-view', 'css');
/** Only for the pages of kiosks. */
export const screenStylesheet = ownAsset('screen', 'css');
export const kioskScript = ownAsset('kiosk', 'js');
/** Only for the overview and the health page. */
export const overviewStylesheet = ownAsset('overview', 'css');
export const printersStylesheet = ownAsset('printers', 'css');
/** Only for the administrators' pages for screens. */
export const screensStylesheet = ownAsset('screens', 'css');
export const requestsStylesheet = ownAsset('requests', 'css');
/** Only for the documentation of the API. */
export const docsStylesheet = ownAsset('docs', 'css');
export const script = ownAsset('enhance', 'js');
export const liveSearchScript = ownAsset('live-search', 'js');
export const pairingScript = ownAsset('pairing', 'js');
/** Only for screens with a rolling code. */
export const rollingStylesheet = ownAsset('rolling', 'css');
export const rollingScript = ownAsset('rolling', 'js');
/** The icon in the tab of the browser. */
export const tabIcon = ownAsset('icon', 'svg');
/** Icons for home screens. iOS rounds their corners. Android may cut the maskable icon to any shape. */
export const appleIcon = ownAsset('icon-180', 'png');
const icon192 = ownAsset('icon-192', 'png');
const icon512 = ownAsset('icon-512', 'png');
const maskableIcon = ownAsset('icon-maskable', 'png');
/** The icons of the web app manifest. */
export const ICONS = [
  { path: tabIcon.path, type: TYPES.svg, sizes: 'any' },
  { path: icon192.path, type: TYPES.png, sizes: '192x192' },
  { path: icon512.path, type: TYPES.png, sizes: '512x512' },
  { path: maskableIcon.path, type: TYPES.png, sizes: '512x512', purpose: 'maskable' },
];
export const exploreStylesheet = ownAsset('explore', 'css');
export const exploreScript = ownAsset('explore', 'js');
export const swaggerStylesheet = swaggerAsset('swagger-ui', 'css');
export const swaggerScript = swaggerAsset('swagger-ui-bundle', 'js');

export const ASSETS = [
  stylesheet,
  formStylesheet,
  doorStylesheet,
  homeStylesheet,
  listStylesheet,
  voucherStylesheet,
  sitesStylesheet,
  auditStylesheet,
  accountStylesheet,
  paperStylesheet,
  guestStylesheet,
  guestViewStylesheet,
  screenStylesheet,
  kioskScript,
  overviewStylesheet,
  printersStylesheet,
  screensStylesheet,
  requestsStylesheet,
  docsStylesheet,
  script,
  liveSearchScript,
  pairingScript,
  rollingStylesheet,
  rollingScript,
  tabIcon,
  appleIcon,
  icon192,
  icon512,
  maskableIcon,
  exploreStylesheet,
  exploreScript,
  swaggerStylesheet,
  swaggerScript,
  ...CUTS.map(fontAsset),
  rollStylesheet,
  colourStylesheet,
];

// The frame around every page: head, navigation, content. Pages give title and content.

import type { Answer } from '../http/exchange.ts';
import { script, stylesheet } from './assets.ts';
import { type Html, html } from './html.ts';
import { type IconName, icon } from './icons.ts';
import type { Visit } from './visit.ts';

const CSP = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': CSP,
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
};

export interface Page {
  title: string;
  content: Html;
  status?: number;
  headers?: Record<string, string>;
  /** Asks to be loaded again after so many seconds. */
  refreshS?: number;
}

export function answerPage(visit: Visit, page: Page): Answer {
  const body = visit.user
    ? framed(visit, page)
    : html`<main id="content" class="door">${page.content}</main>`;
  return {
    status: page.status ?? 200,
    headers: { ...PAGE_HEADERS, ...page.headers },
    body: html`<!doctype html>
<html lang="${visit.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} · Gastpass</title>
${page.refreshS !== undefined && html`<meta http-equiv="refresh" content="${page.refreshS}">`}
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylesheet.path}">
<script src="${script.path}" defer></script>
</head>
<body>
<a class="skip" href="#content">${visit.words.nav.skip}</a>
${body}
</body>
</html>
`.text,
  };
}

function framed(visit: Visit, page: Page): Html {
  const { words, path, user } = visit;
  const items: Item[] = [
    { href: '/', label: words.nav.newVoucher, shape: 'plus' },
    { href: '/vouchers', label: words.nav.vouchers, shape: 'list' },
    ...(user?.role === 'admin' ? adminItems(visit) : []),
    { href: '/account', label: words.nav.account, shape: 'person' },
  ];
  return html`<div class="frame">
<nav class="side" aria-label="${words.nav.main}">
<a class="brand" href="/">Gastpass</a>
${items.map(
  ({ href, label, shape }) =>
    html`<a class="item" href="${href}"${path === href && html` aria-current="page"`}>${icon(shape)}<span>${label}</span></a>`,
)}
<form method="post" action="/logout">${formToken(visit)}
<p class="who soft">${user?.name}</p>
<button class="item" type="submit">${icon('leave')}<span>${words.nav.signOut}</span></button></form>
</nav>
<main id="content" class="content">${page.content}</main>
</div>`;
}

interface Item {
  href: string;
  label: string;
  shape: IconName;
}

function adminItems({ words: { admin } }: Visit): Item[] {
  return [{ href: '/keys', label: admin.nav.keys, shape: 'key' }];
}

/** Stands in every form that changes something. */
export function formToken({ formToken: token }: Visit): Html {
  return html`<input type="hidden" name="token" value="${token}">`;
}

export function redirect(location: string, headers: Record<string, string> = {}): Answer {
  return { status: 303, headers: { location, 'cache-control': 'no-store', ...headers }, body: '' };
}

// The layout of every page: head, navigation and content. A page supplies its title and its content.

import { randomUUID } from 'node:crypto';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import {
  type Asset,
  appleIcon,
  doorStylesheet,
  formStylesheet,
  script,
  stylesheet,
  tabIcon,
} from '../../platform/pages/assets.ts';
import { type Html, html, trusted } from '../../platform/pages/ui/html.ts';
import { icon } from '../../platform/pages/ui/icons.ts';
import { MESSAGES } from '../texts/messages.ts';
import type { MenuEntry, MenuItem, PageContext } from './context.ts';
import { errorSummary, type FieldIssues, hasFieldIssues } from './message.ts';
import { leaveNotice, type NoticeKind, takeNotice } from './notice.ts';
import { THEME_COLOURS, THEMES } from './theme.ts';

const CSP = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': CSP,
};

const HEADING_END = '</h1>';
/** A page that contains one of these classes needs the stylesheet for forms. */
const FORM_CLASSES = / class="(?:field|chips?|presets|length|logo-now)\b/;
export const MANIFEST_PATH = '/manifest.webmanifest';

export interface Page {
  title: string;
  content: Html;
  /** Shown below the heading. By default, the notice that the previous form has left for this page. */
  message?: Html | undefined;
  /** The invalid fields of a form. If there are any, the page shows a summary of them and its status is 422. */
  issues?: FieldIssues | undefined;
  status?: ContentfulStatusCode;
  headers?: Record<string, string>;
  /** The path of the menu item to highlight, if it does not follow from the page's own path. */
  under?: string;
  /** The browser reloads the page after this many seconds. A text such as `0; url=…` opens another page instead. */
  refresh?: number | string;
  /** Use the wide layout of signed-in pages even if nobody is signed in. */
  isWide?: boolean;
  /** Shown above the content instead of the navigation, because a guest may be holding the device. */
  guestHead?: Html;
  /** True if the page is for the device of a guest: no search engine lists it, and nobody installs it as an app. */
  isForGuest?: boolean;
  /** Stylesheets in addition to those that the layout chooses. A test finds a page that lacks one. */
  stylesheets?: Asset[];
  /** Scripts in addition to `enhance.js`, which every page loads. */
  scripts?: Asset[];
  /** True if a script of the page sends requests to the service. On other pages, the CSP forbids such requests. */
  sendsRequests?: boolean;
  /** True if the page shows another page of the service in a frame. */
  hasFrame?: boolean;
}

export function renderPage(context: PageContext, page: Page): Response {
  const isWrong = page.issues !== undefined && hasFieldIssues(page.issues);
  const content = withMessages(context, page);
  const look = page.isForGuest
    ? 'guest-page'
    : page.guestHead
      ? 'guest'
      : page.isWide
        ? 'content open'
        : 'door';
  const body =
    context.user && !page.guestHead
      ? framed(context, { ...page, content })
      : html`<main id="content" class="${look}"><p class="brand">${page.guestHead ?? brand(context)}</p>${content}</main>`;
  const document = html`<!doctype html>
<html lang="${context.language}"${context.theme !== 'system' && html` data-theme="${context.theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${isWrong && context.messages.problem.inTitle}${page.title} · ${context.settings.title}</title>
${page.refresh !== undefined && html`<meta http-equiv="refresh" content="${page.refresh}">`}
${themeColours(context)}
${page.isForGuest ? html`<meta name="robots" content="noindex">` : html`<link rel="manifest" href="${MANIFEST_PATH}" crossorigin="use-credentials">`}
<link rel="apple-touch-icon" href="${appleIcon.path}">
<link rel="icon" type="image/svg+xml" href="${tabIcon.path}">
${[...commonStylesheets(look, content), ...(page.stylesheets ?? [])].map(({ path }) => html`<link rel="stylesheet" href="${path}">`)}
${[script, ...(page.scripts ?? [])].map(({ path }) => html`<script src="${path}" defer></script>`)}
</head>
<body>
${!page.guestHead && html`<a class="skip" href="#content">${context.messages.nav.skip}</a>`}
${body}
</body>
</html>
`;
  return context.hono.body(document.toString(), page.status ?? (isWrong ? 422 : 200), {
    ...PAGE_HEADERS,
    'content-security-policy': cspOf(context, page),
    ...page.headers,
  });
}

/** The menu may fetch its badges. */
function cspOf(context: PageContext, { sendsRequests, hasFrame, guestHead }: Page): string {
  const isFetched = !guestHead && featureItems(context, 'everybody').some(({ item }) => item.isFetched);
  const fetches = sendsRequests || isFetched;
  return `${CSP}${fetches ? "; connect-src 'self'" : ''}${hasFrame ? "; frame-src 'self'" : ''}`;
}

function commonStylesheets(look: string, content: Html): Asset[] {
  const hasFields = FORM_CLASSES.test(content.toString());
  return [stylesheet, ...(hasFields ? [formStylesheet] : []), ...(look === 'door' ? [doorStylesheet] : [])];
}

/** Inserts the messages below the heading of the page, or at the start of a page without a heading. */
function withMessages(context: PageContext, { content, message, issues = {} }: Page): Html {
  const said = message ?? takeNotice(context);
  const messages =
    html`${hasFieldIssues(issues) && errorSummary(context, { issues, content })}${said}`.toString();
  const text = content.toString();
  const end = text.indexOf(HEADING_END);
  const place = end === -1 ? 0 : end + HEADING_END.length;
  return trusted(text.slice(0, place) + messages + text.slice(place));
}

function framed(context: PageContext, page: Page): Html {
  const { messages, user } = context;
  const path = page.under ?? context.path;
  return html`<div class="frame">
<nav class="side" aria-label="${messages.nav.main}">
<a class="brand" href="/" title="${context.settings.title}">${brand(context)}</a>
${link(path, { href: '/', label: messages.nav.newVoucher, shape: 'plus' })}
${link(path, { href: '/vouchers', label: messages.nav.vouchers, shape: 'list' })}
${featureItems(context, 'everybody').map(({ item }) => link(path, item))}
<button class="item unfold" type="button" popovertarget="rest">${icon('more')}<span>${messages.nav.more}</span>${problemBadge(context, 'more-problems')}</button>
<div class="rest" id="rest" popover>
${user?.role === 'admin' && html`<div class="admin"><p class="group">${messages.admin.title}</p>${adminItems(context).map((item) => link(path, item))}</div>`}
<div class="self"><div class="who soft"><span>${user?.name}</span>${languages(context)}</div>${themes(context)}
${link(path, { href: '/account', label: messages.nav.account, shape: 'user' })}
<form method="post" action="/logout">${formToken(context)}<button class="item" type="submit">${icon('leave')}<span>${messages.nav.logout}</span></button></form></div>
</div>
</nav>
<main id="content" class="content">${page.content}</main>
</div>`;
}

/** A compact language switch; the account page shows the full language names. */
function languages(context: PageContext): Html {
  const { language, messages } = context;
  return html`<form method="post" action="/language" aria-label="${messages.account.language}">${formToken(context)}<input type="hidden" name="next" value="${hereOf(context)}">${Object.keys(
    MESSAGES,
  ).map(
    (code) =>
      html`<button class="button quiet" name="language" value="${code}"${code === language && html` aria-pressed="true"`}>${code.toUpperCase()}</button>`,
  )}</form>`;
}

function themes(context: PageContext): Html {
  const { theme: text } = context.messages;
  return html`<form class="themes" method="post" action="/theme" aria-label="${text.title}">${formToken(context)}<input type="hidden" name="next" value="${hereOf(context)}">${THEMES.map(
    (theme) =>
      html`<button class="button quiet" name="theme" value="${theme}"${theme === context.theme && html` aria-pressed="true"`}>${text.names[theme]}</button>`,
  )}</form>`;
}

/** The page that opens after switching language or theme: the current page, or after a POST the home page. */
function hereOf({ request, path }: PageContext): string {
  if (request.method === 'POST') return '/';
  return request.query ? `${path}?${request.query}` : path;
}

function themeColours({ theme }: PageContext): Html {
  const meta = (colour: string, media?: string) =>
    html`<meta name="theme-color" content="${colour}"${media && html` media="(prefers-color-scheme: ${media})"`}>`;
  if (theme !== 'system') return meta(THEME_COLOURS[theme]);
  return html`${meta(THEME_COLOURS.light, 'light')}${meta(THEME_COLOURS.dark, 'dark')}`;
}

function brand({ settings: { title, logoVersion } }: PageContext): Html {
  const mark =
    logoVersion === null ? icon('wifi') : html`<img class="logo" src="/logo?v=${logoVersion}" alt="">`;
  return html`${mark}<span>${title}</span>`;
}

/** A menu item. It is marked as current on its own page and on all pages below its path. */
function link(path: string, { href, label, shape, badge }: MenuItem): Html {
  const isHere = path === href || (href !== '/' && path.startsWith(`${href}/`));
  return html`<a class="item" href="${href}"${isHere && html` aria-current="page"`} title="${label}">${icon(shape)}<span>${label}</span>${badge}</a>`;
}

/** Shows the number of problems in the menu. Empty if there are none. It is refreshed together with the overview. */
function problemBadge({ problemCount, messages: { overview } }: PageContext, id: string): Html {
  const count = html`${problemCount}<span class="hidden-text"> ${overview.problems(problemCount)}</span>`;
  return html`<span class="badge" id="${id}" data-part>${problemCount > 0 && count}</span>`;
}

/** What features add to this part of the menu, and before which item. */
function featureItems(context: PageContext, part: MenuEntry['for']): { item: MenuItem; before?: string }[] {
  return context.slots
    .flatMap(({ menu = [] }) => menu)
    .filter((entry) => entry.for === part)
    .flatMap(({ before, item: itemFor }) => {
      const item = itemFor(context);
      return item ? { item, ...(before !== undefined && { before }) } : [];
    });
}

function adminItems(context: PageContext): MenuItem[] {
  const { admin, profiles, overview, settings, health } = context.messages;
  const badge = problemBadge(context, 'menu-problems');
  const items: MenuItem[] = [
    { href: '/overview', label: overview.title, shape: 'gauge', badge },
    { href: '/sites', label: admin.nav.sites, shape: 'place' },
    { href: '/keys', label: admin.nav.keys, shape: 'key' },
    { href: '/profiles', label: profiles.title, shape: 'bookmark' },
    { href: '/users', label: admin.nav.users, shape: 'users' },
    { href: '/audit', label: admin.nav.audit, shape: 'book' },
    { href: '/settings', label: settings.title, shape: 'sliders' },
    { href: '/health', label: health.title, shape: 'pulse' },
  ];
  for (const { item, before } of featureItems(context, 'admins')) {
    const place = items.findIndex(({ href }) => href === before);
    items.splice(place < 0 ? items.length : place, 0, item);
  }
  return items;
}

/** The hidden field with the CSRF token. Every POST form must contain it. */
export function formToken({ formToken: token }: PageContext): Html {
  return html`<input type="hidden" name="token" value="${token}">`;
}

/**
 * A hidden field with a one-time token, for forms that must take effect only once. For example, reloading a page that
 * shows a new secret must not create a second secret.
 */
export function oneTimeToken(): Html {
  return html`<input type="hidden" name="once" value="${randomUUID()}">`;
}

/** `notice` is a message that is shown once on the page at `location`. */
export function redirect(context: PageContext, location: string, notice?: NoticeKind): Response {
  const { hono } = context;
  if (notice) leaveNotice(context, notice, location);
  hono.header('cache-control', 'no-store');
  return hono.redirect(location, 303);
}

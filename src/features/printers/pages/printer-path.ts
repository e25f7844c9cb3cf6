// Shows the address that a printer polls, and renews it. The address is a secret.

import { printerDetails } from '../../../kernel/audit/audit-details.ts';
import { confirm } from '../../../kernel/pages/confirm.ts';
import { type AuthenticatedContext, auditContextOf } from '../../../kernel/pages/context.ts';
import { renderPage } from '../../../kernel/pages/layout.ts';
import { linkTo } from '../../../kernel/pages/link-to.ts';
import { note } from '../../../kernel/pages/message.ts';
import { onlyHereNote } from '../../../kernel/pages/only-here-note.ts';
import { notFoundPage } from '../../../kernel/pages/problem-page.ts';
import { adminRoutes, type Route } from '../../../kernel/pages/route.ts';
import { printersStylesheet } from '../../../platform/pages/assets.ts';
import { html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { makePathToken } from '../../../platform/secrets/token.ts';
import { type PollingKind, type Printer, pollingPath } from '../printer.ts';
import { PRINTER_TEXTS } from '../printer-texts.ts';
import { guide } from './printer-form.ts';
import { withPrinter } from './with-printer.ts';

const { get, post } = adminRoutes('/printers/:printer/path');

export const printerPathRoutes: Route[] = [
  post('', polling(showPath)),
  get('/renew', polling(askRenew)),
  post('/renew', polling(renew)),
];

type PollingPrinter = Printer & { kind: PollingKind };

/** Runs the handler only for a printer that polls. Others have no such address. */
function polling(
  run: (context: AuthenticatedContext, printer: PollingPrinter) => Response | Promise<Response>,
) {
  return withPrinter((context, printer) => {
    const { kind } = printer;
    return kind === 'cloudprnt' || kind === 'epson'
      ? run(context, { ...printer, kind })
      : notFoundPage(context);
  });
}

async function showPath(context: AuthenticatedContext, printer: PollingPrinter) {
  const token = await context.app.printers.findToken(printer.id);
  const details = printerDetails(printer);
  await context.app.noteAudit({ ...auditContextOf(context), action: 'printer.path-shown', details });
  return pathPage(context, printer, token === undefined ? null : pollingPath(printer.kind, token));
}

function askRenew(context: AuthenticatedContext, { id, name }: Printer) {
  const text = PRINTER_TEXTS[context.language];
  return confirm(context, {
    ask: text.renewAsk(name),
    what: text.renewWhat,
    action: `/printers/${id}/path/renew`,
    button: text.renew,
    back: `/printers/${id}`,
  });
}

async function renew(context: AuthenticatedContext, printer: PollingPrinter) {
  const made = makePathToken();
  const isRenewed = await context.app.printers.renewToken(printer.id, made, auditContextOf(context));
  return isRenewed
    ? pathPage(context, printer, pollingPath(printer.kind, made.token))
    : notFoundPage(context);
}

/** `path`: null if the stored token cannot be opened. */
export function pathPage(
  context: AuthenticatedContext,
  { id, name, kind }: Pick<PollingPrinter, 'id' | 'name' | 'kind'>,
  path: string | null,
): Response {
  const text = PRINTER_TEXTS[context.language];
  const url = path !== null && linkTo(context, path);
  return renderPage(context, {
    stylesheets: [printersStylesheet],
    title: name,
    content: html`<section class="card"><h1>${name}</h1><h2>${text.path}</h2>
${url ? html`<p>${text.pathWhat}</p>${onlyHereNote(context)}${url.startsWith('http:') && note('warning', text.pathPlain)}<p><code class="secret-text">${url}</code></p>` : note('warning', text.pathLost)}
<div class="actions">${url && html`<button class="button" type="button" hidden data-copy="${url}" data-copied="${context.messages.result.copied}">${icon('copy')}<span>${text.copy}</span></button>`}
<a class="button primary" href="/printers/${id}">${text.done}</a><a class="button risky" href="/printers/${id}/path/renew">${text.renew}</a></div></section>
<section class="card">${guide(context, kind)}</section>`,
  });
}

// Printers: list, add, change, test, remove. `printer-path.ts` shows the address that a printer polls.

import { asSiteId } from '../../../kernel/ids.ts';
import { affected, confirm } from '../../../kernel/pages/confirm.ts';
import { type AuthenticatedContext, auditContextOf } from '../../../kernel/pages/context.ts';
import { redirect, renderPage } from '../../../kernel/pages/layout.ts';
import { type FieldIssues, type MessageKind, message } from '../../../kernel/pages/message.ts';
import { problemPage } from '../../../kernel/pages/problem-page.ts';
import { adminRoutes, type Route } from '../../../kernel/pages/route.ts';
import type { SlipVoucher } from '../../../kernel/slips/slip.ts';
import { printersStylesheet } from '../../../platform/pages/assets.ts';
import { emptyState } from '../../../platform/pages/ui/empty-state.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { UNKNOWN } from '../../../platform/values/unknown-value.ts';
import { isOpen, type LoggedPrintJob } from '../print-job.ts';
import { PRINTER_KINDS, type Printer, type PrinterKind } from '../printer.ts';
import { PRINTER_TEXTS } from '../printer-texts.ts';
import { addPrinterForm, editPrinterForm, guide, kindChoice, readTyped, sayIssues } from './printer-form.ts';
import { pathPage, printerPathRoutes } from './printer-path.ts';
import { printerWords } from './printer-state.ts';
import { jobTable, outcomeOf, printerCard, printerCards } from './printer-view.ts';
import { withPrinter } from './with-printer.ts';

/** How many jobs of a printer are shown. */
const SHOWN_JOBS = 20;
/** While a test page is not finished, the page is loaded again after this time, but only in the first minute. */
const REFRESH_S = 2;
const REFRESHED_FOR_MS = 60_000;

const { get, post } = adminRoutes('/printers');

export const printerRoutes: Route[] = [
  get('', list),
  get('/add', (context) => addForm(context)),
  post('/add', add),
  ...printerPathRoutes,
  get('/:printer', withPrinter(show)),
  get(
    '/:printer/edit',
    withPrinter((context, printer) => editForm(context, printer)),
  ),
  post('/:printer/edit', withPrinter(edit)),
  { method: 'POST', path: '/printers/:printer/test', permission: 'admin', run: withPrinter(printTest) },
  get('/:printer/remove', withPrinter(askRemove)),
  { method: 'POST', path: '/printers/:printer/remove', permission: 'admin', run: withPrinter(remove) },
];

async function list(context: AuthenticatedContext) {
  const text = PRINTER_TEXTS[context.language];
  const all = await context.app.printers.list();
  const first = { href: '/printers/add', label: text.add, isPrimary: true };
  return renderPage(context, {
    stylesheets: [printersStylesheet],
    title: text.title,
    content:
      all.length === 0
        ? html`<h1>${text.title}</h1><section class="card">${emptyState('print', text.empty, first)}</section>`
        : html`<h1>${text.title}</h1><p>${text.intro}</p>
<p><a class="button primary" href="/printers/add">${icon('plus')}<span>${text.add}</span></a></p>${printerCards(context, all)}`,
  });
}

async function addForm(context: AuthenticatedContext, issues: FieldIssues = {}) {
  const text = PRINTER_TEXTS[context.language];
  const sites = await context.app.sites.list();
  const typedKind = context.form.get('kind') ?? context.query.get('kind');
  const kind = PRINTER_KINDS.find((one) => one === typedKind);
  const siteId = context.query.get('site') ?? '';
  return renderPage(context, {
    stylesheets: [printersStylesheet],
    title: text.add,
    issues,
    content: html`<h1>${text.add}</h1>${
      sites.length === 0
        ? html`<section class="card">${emptyState('place', text.noSites, { href: '/sites', label: text.addSite, isPrimary: true })}</section>`
        : kind
          ? kindForm({ kind, sites, siteId, issues })
          : kindChoice(context, /^\d+$/.test(siteId) ? `&site=${siteId}` : '')
    }`,
  });

  function kindForm(form: Parameters<typeof addPrinterForm>[1]): Html {
    return html`<div class="halves"><section class="card"><h2>${text.kinds[form.kind].name}</h2>${addPrinterForm(context, form)}</section>
<section class="card">${guide(context, form.kind)}<p class="actions"><a class="button quiet" href="/printers/add">${text.otherKind}</a></p></section></div>`;
  }
}

async function add(context: AuthenticatedContext) {
  const { form } = context;
  const siteId = asSiteId(Number(/^\d{1,9}$/.test(form.get('site') ?? '') ? form.get('site') : 0));
  const kind = form.get('kind') ?? '';
  const typed = readTyped(context);
  const added = await context.app.addPrinter({ ...typed, siteId, kind }, auditContextOf(context));
  if (!added.ok) return addForm(context, sayIssues(context, added.problem));
  const { id, path } = added.value;
  if (path === null || !isPollingKind(kind)) return redirect(context, `/printers/${id}`, 'printerAdded');
  return pathPage(context, { id, name: (typed.name ?? '').trim(), kind }, path);
}

function isPollingKind(kind: string): kind is Exclude<PrinterKind, 'escpos'> {
  return kind === 'cloudprnt' || kind === 'epson';
}

function editForm(context: AuthenticatedContext, printer: Printer, issues: FieldIssues = {}) {
  const text = PRINTER_TEXTS[context.language];
  return renderPage(context, {
    stylesheets: [printersStylesheet],
    title: text.editTitle(printer.name),
    issues,
    content: html`<section class="card"><h1>${text.editTitle(printer.name)}</h1>${editPrinterForm(context, printer, issues)}</section>`,
  });
}

async function edit(context: AuthenticatedContext, printer: Printer) {
  const changed = await context.app.changePrinter(printer, readTyped(context), auditContextOf(context));
  if (!changed.ok) return editForm(context, printer, sayIssues(context, changed.problem));
  return redirect(context, `/printers/${printer.id}`, 'printerSaved');
}

async function show(context: AuthenticatedContext, printer: Printer) {
  const text = PRINTER_TEXTS[context.language];
  const jobs = await context.app.printJobs.search({ printerId: printer.id, limit: SHOWN_JOBS });
  const tested = jobs.find(({ id }) => String(id) === context.query.get('test'));
  return renderPage(context, {
    stylesheets: [printersStylesheet],
    title: printer.name,
    message: tested && testMessage(context, printer, tested),
    ...(tested && isOpen(tested) && isYoung(context, tested) && { refresh: REFRESH_S }),
    content: html`${printerCard(context, printer)}
<section class="card"><h2>${text.jobs}</h2>${jobTable(context, jobs, await vouchersOf(context, jobs))}</section>
<div class="pager"><a class="button" href="/printers">${text.all}</a></div>`,
  });
}

function isYoung({ nowMs }: AuthenticatedContext, { createdAtMs }: LoggedPrintJob): boolean {
  return Math.abs(nowMs - createdAtMs) < REFRESHED_FOR_MS;
}

const TEST_MESSAGES: Record<ReturnType<typeof outcomeOf>, MessageKind> = {
  queued: 'info',
  sending: 'info',
  printed: 'success',
  sent: 'success',
  unknown: 'warning',
  failed: 'error',
  expired: 'error',
  cancelled: 'info',
};

/** What became of the test page. While it waits, the card below says what the printer lacks. */
function testMessage(context: AuthenticatedContext, printer: Printer, job: LoggedPrintJob): Html {
  const text = PRINTER_TEXTS[context.language];
  const outcome = outcomeOf(job);
  return message(
    TEST_MESSAGES[outcome],
    html`<p>${text.tested[outcome]}${isOpen(job) && html` <a href="/printers/${printer.id}?test=${job.id}">${text.reload}</a>`}</p>
${!isOpen(job) && job.lastError !== null && printerWords(context, job.lastError)}`,
  );
}

/** The vouchers of the jobs, by id. */
async function vouchersOf(
  { app, user }: AuthenticatedContext,
  jobs: LoggedPrintJob[],
): Promise<Map<LoggedPrintJob['voucherId'], SlipVoucher>> {
  const siteIds = (await app.sitesFor(user)).map(({ id }) => id);
  const ids = [...new Set(jobs.flatMap(({ voucherId }) => voucherId ?? []))];
  const vouchers = await app.slips.findVouchers({ ids, siteIds });
  return new Map(vouchers.map((voucher) => [voucher.id, voucher]));
}

async function printTest(context: AuthenticatedContext, printer: Printer) {
  if (printer.kind === UNKNOWN) return problemPage(context, 409, context.messages.admin.notKnownKept);
  const id = await context.app.printJobs.addTest(printer, auditContextOf(context));
  return redirect(context, `/printers/${printer.id}?test=${id}`);
}

async function askRemove(context: AuthenticatedContext, { id, name }: Printer) {
  const text = PRINTER_TEXTS[context.language];
  const users = (await context.app.screens.list()).filter(({ printerId }) => printerId === id);
  return confirm(context, {
    ask: text.removeAsk(name),
    what: text.removeWhat,
    details: affected(
      text.removeUsed,
      users.map((screen) => screen.name),
    ),
    action: `/printers/${id}/remove`,
    button: text.remove,
    back: `/printers/${id}`,
  });
}

async function remove(context: AuthenticatedContext, { id }: Printer) {
  await context.app.printers.remove(id, auditContextOf(context));
  return redirect(context, '/printers', 'printerRemoved');
}

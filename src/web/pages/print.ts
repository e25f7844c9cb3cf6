// Vouchers on paper: one, a batch or a selection, as a page to print or as a PDF. Only of sites that are the
// visitor's; who asks for any other is told that there is no such page.

import { asBatchId, asVoucherId, type VoucherId } from '../../domain/ids.ts';
import type { Site } from '../../domain/sites/site.ts';
import { MOST_SLIPS, type SlipStore, type SlipVoucher } from '../../domain/sites/slip.ts';
import type { User } from '../../domain/users/user.ts';
import type { BatchStore } from '../../domain/vouchers/batch.ts';
import { statusOf } from '../../domain/vouchers/voucher.ts';
import type { Answer } from '../../http/exchange.ts';
import { makePdfPrinter } from '../../print/pdf-printer.ts';
import { PAPERS, type Paper } from '../../print/printed-slip.ts';
import { problemPage } from '../answer-visits.ts';
import { download } from '../download.ts';
import { html } from '../html.ts';
import { icon } from '../icons.ts';
import { answerPage } from '../layout.ts';
import { prepareSlips, type SlipNeeds } from '../print.ts';
import type { Route } from '../routes.ts';
import type { UserVisit } from '../visit.ts';
import { paperOf } from './print-parts.ts';

interface Needs extends SlipNeeds {
  slips: Pick<SlipStore, 'find' | 'findVouchers'>;
  batches: Pick<BatchStore, 'find'>;
  sitesFor: (user: User) => Promise<Site[]>;
  stopping: AbortSignal;
}

export function makePrintPages(needs: Needs): Route[] {
  const { slips, batches, sitesFor } = needs;
  const printPdf = makePdfPrinter(needs);
  return [
    { method: 'GET', path: '/vouchers/print', access: 'operator', run: (visit) => withVouchers(visit, show) },
    { method: 'GET', path: '/vouchers/pdf', access: 'operator', run: (visit) => withVouchers(visit, save) },
  ];

  async function withVouchers(visit: UserVisit, run: typeof show): Promise<Answer> {
    const { words, nowS } = visit;
    const ids = await readIds(visit);
    if (ids?.length === 0) return problemPage(visit, 422, words.slip.nothing);
    if (ids && ids.length > MOST_SLIPS) return problemPage(visit, 422, words.slip.tooMany(MOST_SLIPS));
    const siteIds = (await sitesFor(visit.user)).map(({ id }) => id);
    const found = ids ? await slips.findVouchers({ ids, siteIds }) : [];
    if (!ids || found.length < ids.length) return problemPage(visit, 404, words.problem.notFound);
    const byId = new Map(found.map((voucher) => [voucher.id, voucher]));
    const all = ids.flatMap((id) => byId.get(id) ?? []);
    return run(visit, { all, worth: all.filter((voucher) => statusOf(voucher, nowS) !== 'expired') });
  }

  /** Undefined when one of them cannot be a voucher's, or there is no such batch. */
  async function readIds({ query }: UserVisit): Promise<VoucherId[] | undefined> {
    const batch = query.get('batch');
    if (batch !== null) return (await batches.find(asBatchId(batch)))?.vouchers.map(({ id }) => id);
    const texts = [...new Set(query.getAll('voucher'))];
    return texts.every((text) => /^\d{1,15}$/.test(text))
      ? texts.map((text) => asVoucherId(Number(text)))
      : undefined;
  }

  async function show(visit: UserVisit, { all, worth }: Chosen): Promise<Answer> {
    const { words } = visit;
    const paper = readPaper(visit);
    const leftOut = all.length - worth.length;
    return answerPage(visit, {
      title: words.print.title,
      content: html`<div class="screen-only"><h1>${words.print.title}</h1>
${leftOut > 0 && html`<p class="note" role="status">${icon('expired')}<span>${words.slip.leftOut(leftOut)}</span></p>`}
<div class="actions"><div class="chips">${PAPERS.map((one) => chip(visit, one, one === paper))}</div>
${
  worth.length > 0 &&
  html`<button class="button primary" type="button" hidden data-print>${icon('print')}${words.print.now}</button>
<a class="button" href="${addressOf(visit, '/vouchers/pdf', paper)}" download>${words.slip.pdf}</a>`
}
<a class="button" href="${backOf(visit, all)}">${words.print.back}</a></div></div>
${await paperOf(await prepareSlips(visit, worth, needs), paper)}`,
    });
  }

  async function save(visit: UserVisit, { all, worth }: Chosen): Promise<Answer> {
    const { words, house, language } = visit;
    if (worth.length === 0) return problemPage(visit, 422, words.slip.leftOut(all.length));
    const body = await printPdf({
      ...(await prepareSlips(visit, worth, needs)),
      paper: readPaper(visit),
      title: `${house.title} · ${words.slip.document(worth.length)}`,
      language,
    });
    if (body === 'busy') return problemPage(visit, 503, words.slip.busy, { 'retry-after': '10' });
    return download('vouchers.pdf', 'application/pdf', body);
  }
}

interface Chosen {
  all: SlipVoucher[];
  /** Without those that have ended and are of no use to a guest. */
  worth: SlipVoucher[];
}

function readPaper({ query }: UserVisit): Paper {
  return query.get('paper') === 'receipt' ? 'receipt' : 'a4';
}

function chip(visit: UserVisit, paper: Paper, isChosen: boolean) {
  const { sheet, slip } = visit.words.print;
  return html`<a class="chip" href="${addressOf(visit, visit.path, paper)}"${isChosen && html` aria-current="true"`}>${paper === 'a4' ? sheet : slip}</a>`;
}

/** The same vouchers on that paper. */
function addressOf({ query }: UserVisit, path: string, paper: Paper): string {
  const wishes = new URLSearchParams(query);
  wishes.set('paper', paper);
  return `${path}?${wishes}`;
}

function backOf({ query }: UserVisit, vouchers: SlipVoucher[]): string {
  const batch = query.get('batch');
  if (batch !== null) return `/batches/${encodeURIComponent(batch)}`;
  const [first] = vouchers;
  return vouchers.length === 1 && first ? `/vouchers/${first.id}` : '/vouchers';
}

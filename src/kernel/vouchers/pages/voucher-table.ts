// The full list of vouchers, one line each; on phones each voucher is a card. It can be sorted by its column headings,
// and selected vouchers can be printed or revoked.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { drawIcons, drawnIcon, icon } from '../../../platform/pages/ui/icons.ts';
import { localeOf, sayTime } from '../../../platform/texts/durations.ts';
import type { PageContext } from '../../pages/context.ts';
import { formatCode } from '../voucher.ts';
import type { BatchResults, FoundVoucher, VoucherSort } from '../voucher-search.ts';
import { hasEnded, stateOf } from '../voucher-state.ts';
import type { Line } from './list-lines.ts';
import { linkFrom, listFilterOf } from './list-link.ts';
import type { SearchInput } from './read-search.ts';
import { rowMenu } from './row-menu.ts';
import { endOf, madeBy, STATE_ICONS, shownName, usesOf, voucherStatePill } from './voucher-details.ts';
import type { ListPart } from './voucher-slots.ts';

/**
 * Longer names are cut, because no column is so wide, and to keep the page small. The voucher's page shows all of it.
 */
const MAX_NAME_SHOWN = 40;
/** A reference is shown beside the name where there is room, so it is cut earlier. */
const MAX_REFERENCE_SHOWN = 20;

interface Looks {
  /** False if all vouchers belong to the same site. */
  showsSites: boolean;
  /** False if only vouchers in the same state are shown. */
  showsUse: boolean;
  /** Adds the way back to the list to a URL. */
  link: (url: string) => string;
  /** What features add. */
  parts: ListPart[];
}

interface Listed extends Pick<Looks, 'showsSites' | 'parts'> {
  input: SearchInput;
}

/** The full list of vouchers, with buttons to print or revoke the selected ones. */
export function choiceOf(context: PageContext, lines: Line[], { input, showsSites, parts }: Listed): Html {
  const { list, result, revoke, bulkRevocation: revocation } = context.messages;
  const from = String(listFilterOf(context));
  const looks = { showsSites, showsUse: input.state === undefined, link: linkFrom(context), parts };
  return html`${parts.map(({ forms }) => forms)}<form method="get" action="/vouchers/print" class="choice" data-copied="${result.copied}">${drawIcons([...Object.values(STATE_ICONS), ...parts.map(({ marks }) => marks.icon)])}${from !== '' && html`<input type="hidden" name="from" value="${from}">`}
<table class="list">${head(context, input, showsSites)}<tbody>${lines.map((line) => (line.batch ? batchRows(context, { ...line, batch: line.batch }, looks) : row(context, line.voucher, looks)))}</tbody></table>
<div class="bar"><span class="selected" role="status" hidden><strong></strong> <span>${list.selected}</span></span>
<button class="button" type="submit" aria-label="${list.printSelected}">${icon('print')}${result.print}</button>
<button class="button risky" type="submit" formaction="/vouchers/revoke" aria-label="${revocation.selected}">${revoke.revoke}</button></div></form>`;
}

function head(context: PageContext, { sort, canGoByName }: SearchInput, showsSites: boolean): Html {
  const { list, form } = context.messages;
  const column = (name: string, label: string) => html`<th scope="col" class="${name}-of">${label}</th>`;
  const byName = { name: 'name', label: form.name, up: 'name', down: 'name-back', first: 'name' } as const;
  const byTime = {
    name: 'made',
    label: list.created,
    up: 'oldest',
    down: 'newest',
    first: 'newest',
  } as const;
  return html`<thead><tr><td class="tick-of"><label class="tick" hidden><input type="checkbox" data-all="voucher" aria-label="${list.selectAll}"></label></td>
${canGoByName ? sorter(context, sort, byName) : column('name', form.name)}${column('code', list.code)}${column('state', list.state)}
${column('uses', list.uses)}${column('ends', list.ends)}${sorter(context, sort, byTime)}${showsSites && column('site', form.site)}<td class="menu-of"></td></tr></thead>`;
}

interface Sorter {
  name: string;
  label: string;
  up: VoucherSort;
  down: VoucherSort;
  /** The sort order after the first click on the heading. */
  first: VoucherSort;
}

function sorter({ query }: PageContext, sort: VoucherSort, { name, label, up, down, first }: Sorter): Html {
  const inputs = new URLSearchParams(query);
  inputs.delete('after');
  inputs.set('sort', sort === first ? (first === up ? down : up) : first);
  const direction = sort === up ? 'ascending' : sort === down ? 'descending' : 'none';
  return html`<th scope="col" class="${name}-of" aria-sort="${direction}"><a class="sorter" href="/vouchers?${String(inputs)}">${label}</a></th>`;
}

function row(
  context: PageContext,
  voucher: FoundVoucher,
  { showsSites, link, parts }: Looks,
  isOpened = false,
): Html {
  const { messages, language, timeZone } = context;
  const { list } = messages;
  const code = formatCode(voucher.code);
  const name = shownName(voucher) || code;
  const isOver = hasEnded(stateOf(voucher, context.nowS));
  return html`<tr${isOpened && html` class="opened"`}><td class="tick-of">${!isOver && html`<label class="tick"><input type="checkbox" name="voucher" value="${voucher.id}" aria-label="${list.select(code)}"></label>`}</td>
<td class="name-of">${voucher.isDemo && !isOpened && demoMark(context)}<a class="listed" href="${link(`/vouchers/${voucher.id}`)}">${cut(name)}</a>${!isOpened && referenceOf(voucher)}</td>
<td class="code-of"><span class="code${isOver && ' over'}">${code}</span></td><td class="state-of">${voucherStatePill(voucher, context, drawnIcon)}${parts.map(({ marks }) => marks.of(voucher.id))}</td>
<td class="uses-of" data-label="${list.uses}">${usesOf(voucher)}</td><td class="ends-of">${endOf(voucher, context)}</td>
<td class="made-of">${sayTime(voucher.createdAtS * 1000, { language, timeZone })}<span class="sub">${madeBy(voucher, context)}</span></td>
${showsSites && html`<td class="site-of">${voucher.siteName}</td>`}<td class="menu-of">${rowMenu(context, voucher, { link, parts })}</td></tr>`;
}

/** The row of a batch, which opens and closes, and the rows of the opened vouchers. */
function batchRows(
  context: PageContext,
  { voucher, batch, opened }: Line & { batch: BatchResults },
  looks: Looks,
): Html {
  const { messages, language, timeZone, query } = context;
  const { list, batches: text } = messages;
  const number = batch.vouchers.toLocaleString(localeOf(language));
  const inputs = new URLSearchParams(query);
  inputs.delete('open');
  if (!opened) inputs.set('open', batch.id);
  const name = shownName(voucher);
  const isCut = opened && opened.length < batch.vouchers;
  return html`<tr class="batch" id="batch-${batch.id}"><td class="tick-of"></td>
<td class="name-of">${voucher.isDemo && demoMark(context)}<a class="listed" href="/vouchers?${String(inputs)}#batch-${batch.id}" aria-expanded="${String(opened !== undefined)}">${cut(name)}</a>${referenceOf(voucher)}</td>
<td class="code-of"><a class="to-batch" href="/batches/${batch.id}">${list.counted(batch.vouchers, number)}</a></td><td class="state-of">${looks.showsUse && text.used(batch.used, batch.vouchers)}</td>
<td class="uses-of"></td><td class="ends-of">${batch.open < batch.vouchers && list.invalid(batch.vouchers - batch.open)}</td><td class="made-of">${sayTime(voucher.createdAtS * 1000, { language, timeZone })}<span class="sub">${madeBy(voucher, context)}</span></td>
${looks.showsSites && html`<td class="site-of">${voucher.siteName}</td>`}<td class="menu-of"></td></tr>
${opened?.map((one) => row(context, one, looks, true))}${isCut && html`<tr class="batch"><td class="tick-of"></td><td class="name-of" colspan="2"><a href="/batches/${batch.id}">${list.allOfBatch(number)}</a></td></tr>`}`;
}

function demoMark({ messages: { firstSteps } }: PageContext): Html {
  return html`<span class="pill demo">${firstSteps.demo}</span> `;
}

function referenceOf({ reference }: FoundVoucher): Html | false {
  return reference !== null && html` <span class="sub">${cut(reference, MAX_REFERENCE_SHOWN)}</span>`;
}

/** Counts whole characters, so that none is cut in half. */
function cut(text: string, length = MAX_NAME_SHOWN): string {
  return text.length > length ? `${[...text].slice(0, length).join('')}…` : text;
}

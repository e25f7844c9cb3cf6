// Links that lead back to the list of vouchers with its filter. Pages reached from the list carry the filter in the
// query parameter `from`. Only known filters of our own list are read from it, so it cannot lead anywhere else.

import type { PageContext } from '../../http/context.ts';
import { type Html, html } from '../../ui/html.ts';

const FILTERS = ['q', 'site', 'state', 'created', 'sort', 'after'];
/** A longer filter is not carried along, because it would be repeated in every row of the list. */
const MAX_FROM_LENGTH = 150;

/**
 * The filter of the list of vouchers. The list itself, and actions on all of its results, have it in their own query;
 * other pages have it in `from`.
 */
export function listFilterOf({ path, query }: Pick<PageContext, 'path' | 'query'>): URLSearchParams {
  const isOwn = path === '/vouchers' || query.get('all') === '1';
  const given = isOwn ? query : new URLSearchParams(query.get('from') ?? '');
  const filter = new URLSearchParams();
  for (const name of FILTERS) {
    const value = given.get(name);
    if (value) filter.set(name, value);
  }
  return filter;
}

/** The URL of a page that can lead back to the list. */
export function withFrom(context: Pick<PageContext, 'path' | 'query'>, url: string): string {
  const from = encodeURIComponent(String(listFilterOf(context)));
  if (from === '' || from.length > MAX_FROM_LENGTH) return url;
  return `${url}${url.includes('?') ? '&' : '?'}from=${from}`;
}

/** The list as the user left it; undefined if the user did not come from a filtered list. */
export function listLeft(context: Pick<PageContext, 'path' | 'query'>): string | undefined {
  const filter = listFilterOf(context);
  return filter.size > 0 ? `/vouchers?${filter}` : undefined;
}

/** The button that leads back to the list with the filter that the user left it with. */
export function toList(context: PageContext): Html {
  const { list, result } = context.messages;
  const left = listLeft(context);
  return html`<a class="button" href="${left ?? '/vouchers'}">${left ? list.backToList : result.all}</a>`;
}

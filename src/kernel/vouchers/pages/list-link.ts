// Links back to the filtered list of vouchers. Pages that are opened from the list have its filter in the query
// parameter `from`. Only known filters are read from `from`, so a link can lead only to our own list.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import type { PageContext } from '../../pages/context.ts';

const FILTERS = ['q', 'site', 'state', 'created', 'sort', 'after'];
/** A longer filter is not put into links, because every row of the list would repeat it. */
const MAX_FROM_LENGTH = 150;

/**
 * Reads the filter of the list of vouchers. The list itself and actions on all its results have the filter in their
 * query. Other pages have it in the parameter `from`.
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

/** Adds the filter of the list to a URL, so that the page at this URL can link back to the list. */
export function withFrom(context: Pick<PageContext, 'path' | 'query'>, url: string): string {
  return linkFrom(context)(url);
}

/** Like `withFrom`, for many URLs. */
export function linkFrom(context: Pick<PageContext, 'path' | 'query'>): (url: string) => string {
  const from = encodeURIComponent(String(listFilterOf(context)));
  if (from === '' || from.length > MAX_FROM_LENGTH) return (url) => url;
  return (url) => `${url}${url.includes('?') ? '&' : '?'}from=${from}`;
}

/** The URL of the filtered list from which the user came. Undefined if the user did not come from a filtered list. */
export function listLeft(context: Pick<PageContext, 'path' | 'query'>): string | undefined {
  const filter = listFilterOf(context);
  return filter.size > 0 ? `/vouchers?${filter}` : undefined;
}

/** A button that leads back to the list, with the filter that the user had chosen. */
export function toList(context: PageContext): Html {
  const { list, result } = context.messages;
  const left = listLeft(context);
  return html`<a class="button" href="${left ?? '/vouchers'}">${left ? list.backToList : result.all}</a>`;
}

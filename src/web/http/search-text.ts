// The text of a search field. Control characters become blanks, because no stored text that can be
// found contains them. The page shows the text that was searched for.

export function readSearchText(query: URLSearchParams, name: string, maxLength: number): string {
  const text = (query.get(name) ?? '').replace(/\p{Cc}/gu, ' ').trim();
  // Do not cut a surrogate pair in half.
  return text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
}

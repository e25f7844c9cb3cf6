// Reads the text of a search field. Control characters are replaced by spaces, because no stored text has them.

export function readSearchText(query: URLSearchParams, name: string, maxLength: number): string {
  const text = (query.get(name) ?? '').replace(/\p{Cc}/gu, ' ').trim();
  // Remove the first half of a surrogate pair if the text was cut in the middle of the pair.
  return text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
}

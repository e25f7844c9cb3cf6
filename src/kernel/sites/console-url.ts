// Normalises the URL of a console. A URL copied from a browser may end in a page of the console, which is
// removed; any other path belongs to a reverse proxy and stays.

const PAGES = /^\/(network|manage|console|login|settings)(\/|$)/;

export function toConsoleUrl(url: URL): string {
  return (PAGES.test(url.pathname) ? url.origin : url.href).replace(/\/+$/, '');
}

// Normalises the address of a console. An address copied from a browser may end in a page of the console, which is
// removed; any other path belongs to a reverse proxy and stays.

const PAGES = /^\/(network|manage|console|login|settings)(\/|$)/;

export function toConsoleAddress(url: URL): string {
  return (PAGES.test(url.pathname) ? url.origin : url.href).replace(/\/+$/, '');
}

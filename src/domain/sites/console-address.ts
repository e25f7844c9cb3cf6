// The address of a console as it is stored. Copied from a browser it ends in one of the console's own pages, which
// are no part of it; any other path is that of a proxy in front and stays.

const PAGES = /^\/(network|manage|console|login|settings)(\/|$)/;

export function toConsoleAddress(url: URL): string {
  return (PAGES.test(url.pathname) ? url.origin : url.href).replace(/\/+$/, '');
}

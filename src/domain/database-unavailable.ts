// Thrown when the database cannot do its work at the moment (locked for too long, disk full, closed, broken). Nothing
// was written, unless the connection was lost during the commit. The response is 503, or 500 if a voucher was already
// ordered.

export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super(`database unavailable: ${reasonOf(cause)}`, { cause });
    this.name = 'DatabaseUnavailable';
  }
}

/** Some errors carry only a code, for example if a host has several addresses and none of them responds. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}

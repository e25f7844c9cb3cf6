// Thrown by storage when the database cannot do its work right now (locked for too long, disk full,
// closed, broken). Nothing was written. Answered with 503, or 500 when a voucher was already asked for.

export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super(`database unavailable: ${reasonOf(cause)}`, { cause });
    this.name = 'DatabaseUnavailable';
  }
}

/** Some errors have nothing to say but their code: a host with several addresses of which none answers. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}

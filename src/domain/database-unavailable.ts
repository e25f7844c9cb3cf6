// Thrown by storage when the database cannot do its work right now (locked for too long, disk full,
// closed, broken). Nothing was written. Answered with 503, or 500 when a voucher was already asked for.

export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super(`database unavailable: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'DatabaseUnavailable';
  }
}

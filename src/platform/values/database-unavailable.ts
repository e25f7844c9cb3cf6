// Thrown when the database cannot do its work at the moment (locked for too long, disk full, closed, broken). Nothing
// was written, unless the connection was lost during the commit. The response is 503, or 500 if a voucher was already
// ordered.

import { DatabaseError, errorReason } from './database-error.ts';

export class DatabaseUnavailable extends DatabaseError {
  constructor(cause: unknown) {
    super(cause, `database unavailable: ${errorReason(cause)}`);
    this.name = 'DatabaseUnavailable';
  }
}

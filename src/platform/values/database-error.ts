// Thrown for every error of the database. Its text names tables, constraints and files, so it is for the log and the
// operator; callers of the API and readers of pages get a text without them.

export class DatabaseError extends Error {
  constructor(cause: unknown, message = errorReason(cause)) {
    super(message, { cause });
    this.name = 'DatabaseError';
  }
}

/** The message; the code if the message is empty, which happens if a host has several addresses and none responds. */
export function errorReason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}

/** The text of an error for callers of the API and readers of pages. */
export function textForCallers(error: unknown): string {
  if (error instanceof DatabaseError) return 'the database failed; the log of the service says why';
  return error instanceof Error ? error.message : String(error);
}

// The text of an error for the operator, with what to do about it where the cause is known: errors of files and folders,
// and of the connection to PostgreSQL.

import { DatabaseError, errorReason, textForCallers } from '../../domain/database-error.ts';
import { sayFileError } from '../../domain/file-error.ts';
import { adviseOnConnection } from '../../storage/postgres/connection-advice.ts';

export function explainError(error: unknown): string {
  const advice = adviseOnConnection(error);
  if (advice) return `${errorReason(error)}: ${advice}`;
  // The path in an error of the database is a socket.
  const ofFile = error instanceof DatabaseError ? undefined : sayFileError(error);
  return ofFile ?? errorReason(error);
}

/** Without the tables and files that errors of the database name. */
export function explainOnPage(error: unknown): string {
  return error instanceof DatabaseError ? textForCallers(error) : explainError(error);
}

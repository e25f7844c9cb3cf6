// The text of an error for the operator. For errors of files, folders and the connection to PostgreSQL, the text also
// says what to do if the cause is known.

import { adviseOnConnection } from '../../platform/database/postgres/connection-advice.ts';
import { DatabaseError, errorReason, textForCallers } from '../../platform/values/database-error.ts';
import { sayFileError } from '../../platform/values/file-error.ts';

export function explainError(error: unknown): string {
  const advice = adviseOnConnection(error);
  if (advice) return `${errorReason(error)}: ${advice}`;
  // A path in a database error is the path of a socket, not of a file.
  const ofFile = error instanceof DatabaseError ? undefined : sayFileError(error);
  return ofFile ?? errorReason(error);
}

/** Like `explainError`, but without the names of tables and files in database errors. */
export function explainOnPage(error: unknown): string {
  return error instanceof DatabaseError ? textForCallers(error) : explainError(error);
}

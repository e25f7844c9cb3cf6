// The text of an error for the operator, with what to do about it where the cause is known: errors of files and folders,
// and of the connection to PostgreSQL.

import { DatabaseError } from '../../domain/database-error.ts';
import { sayFileError } from '../../domain/file-error.ts';
import { adviseOnConnection } from '../../storage/postgres/connection-advice.ts';
import { reasonOf } from './finding.ts';

export function explainError(error: unknown): string {
  const advice = adviseOnConnection(error);
  if (advice) return `${reasonOf(error)}: ${advice}`;
  // The path in an error of the database is a socket.
  const ofFile = error instanceof DatabaseError ? undefined : sayFileError(error);
  return ofFile ?? reasonOf(error);
}

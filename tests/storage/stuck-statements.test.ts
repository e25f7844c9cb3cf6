// Tests that a statement that takes too long is cut on the PostgreSQL server, not only given up by the service.

import { test } from 'node:test';
import { makeTestDatabase } from '../support/postgres.ts';
import { checkStuckStatements } from '../support/stuck-statements.ts';

test('a stuck statement is cut on the server, in a transaction and outside of one', async () => {
  const made = await makeTestDatabase();
  try {
    await checkStuckStatements(made, made.url);
  } finally {
    await made.drop();
  }
});

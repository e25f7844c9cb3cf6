// Imported into each group of test files. A test that fails may leave a service behind, which would keep the process
// alive forever: the process then says what is left, and ends as failed.

import { after } from 'node:test';

const PATIENCE_MS = Number(process.env.TEST_END_PATIENCE_MS ?? 60_000);

after(() => {
  setTimeout(() => {
    console.error(`left behind by a test: ${process.getActiveResourcesInfo().join(', ')}`);
    process.exit(1);
  }, PATIENCE_MS).unref();
});

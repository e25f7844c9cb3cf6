// The code waits for its promises. The linter has a rule for this too, but does not see the types of the query builder.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { API } from 'typescript/unstable/sync';
import { findUnawaited } from '../support/unawaited.ts';
import { product, root } from './sources.ts';

test('no promise is left alone', () => {
  const api = new API({ cwd: root });
  try {
    const config = join(root, 'tsconfig.json');
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    assert.ok(project);
    const { program, checker } = project;
    const checked = product.flatMap(({ path }) => program.getSourceFile(join(root, path)) ?? []);
    assert.equal(checked.length, product.length);
    const found = checked.flatMap((source) =>
      findUnawaited(source, checker).map((text) => `${source.fileName}: ${text}`),
    );
    assert.deepEqual(found, []);
  } finally {
    api.close();
  }
});

// The code waits for its promises. The linter has a rule for this too, but does not see the types of the query builder.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  isCallExpression,
  isExpressionStatement,
  isNewExpression,
  isPropertyAccessExpression,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import { API, type Checker } from 'typescript/unstable/sync';
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

/** What follows such a promise does not wait for it, and a failure would end the process. */
function findUnawaited(source: SourceFile, checker: Checker): string[] {
  const found: string[] = [];
  descend(source);
  return found;

  function descend(node: Node): void {
    if (isExpressionStatement(node) && isLeftAlone(node.expression)) found.push(node.getText(source));
    node.forEachChild(descend);
  }

  function isLeftAlone(node: Node): boolean {
    if (!isCallExpression(node) && !isNewExpression(node)) return false;
    const called = node.expression;
    const name = isPropertyAccessExpression(called) ? called.name.text : called.getText(source);
    if (name === 'catch' || name === 'runInBackground') return false;
    if (name === 'then' && node.arguments?.length === 2) return false;
    if (name === 'finally' && isPropertyAccessExpression(called)) return isLeftAlone(called.expression);
    return checker.getTypeAtLocation(node)?.getSymbol()?.name === 'Promise';
  }
}

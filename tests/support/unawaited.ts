// Finds promises that nobody waits for: what follows would not wait for them either, and a failure would end the process.

import {
  isCallExpression,
  isExpressionStatement,
  isIdentifier,
  isNewExpression,
  isPropertyAccessExpression,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import type { Checker } from 'typescript/unstable/sync';

/** Calls that take care of the promise. */
const CARE = ['then', 'catch', 'finally', 'runInBackground'];

export function findUnawaited(source: SourceFile, checker: Checker): string[] {
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
    const name = isPropertyAccessExpression(called) ? called.name : called;
    if (isIdentifier(name) && CARE.includes(name.text)) return false;
    return checker.getTypeAtLocation(node)?.getSymbol()?.name === 'Promise';
  }
}

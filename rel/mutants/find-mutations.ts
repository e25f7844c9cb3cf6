// Finds what can be changed in a source file, from its syntax tree: conditions, bounds, statements, returned values,
// numbers, words of closed unions, and elements. Leaves types, imports, calls of the log and texts alone.

import {
  type ArrayLiteralExpression,
  type BinaryExpression,
  type Expression,
  isArrayLiteralExpression,
  isArrowFunction,
  isAwaitExpression,
  isBinaryExpression,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isExportDeclaration,
  isExpressionStatement,
  isIfStatement,
  isImportDeclaration,
  isNumericLiteral,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isReturnStatement,
  isStringLiteral,
  isThrowStatement,
  isTypeNode,
  isWhileStatement,
  type Node,
  type ObjectLiteralExpression,
  type SourceFile,
  type StringLiteral,
  SyntaxKind,
} from 'typescript/unstable/ast';
import type { Checker } from 'typescript/unstable/sync';

export interface Mutation {
  operator: string;
  start: number;
  end: number;
  /** The first replacement that passes the type check is taken. */
  replacements: string[];
}

const BOUNDS = new Map([
  [SyntaxKind.LessThanToken, '<='],
  [SyntaxKind.LessThanEqualsToken, '<'],
  [SyntaxKind.GreaterThanToken, '>='],
  [SyntaxKind.GreaterThanEqualsToken, '>'],
]);
const LOGIC = new Map([
  [SyntaxKind.AmpersandAmpersandToken, '||'],
  [SyntaxKind.BarBarToken, '&&'],
]);
const EQUALITY = new Map([
  [SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [SyntaxKind.ExclamationEqualsEqualsToken, '==='],
]);
/** The comparisons in queries. */
const COMPARISONS: Record<string, string> = { '=': '!=', '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const EMPTY = ['undefined', '[]', 'false', 'true', 'null', "''", '0'];
const LARGE = 1_000;
const LOG_CALL = /^(deps\.)?log\.(debug|info|warn|error)\(/;

/** Adds 1 to a bound or an index. One millisecond more would change nothing, so a large number is multiplied. */
function changeNumber(text: string): string {
  const value = Number(text);
  return String(value < LARGE ? value + 1 : value * 10);
}

export function findMutations(source: SourceFile, checker: Checker): Mutation[] {
  const { text } = source;
  const found: Mutation[] = [];
  const startOf = (node: Node) => node.getStart(source);
  const textOf = (node: Node) => text.slice(startOf(node), node.end);
  const add = (operator: string, node: Node, ...replacements: string[]) =>
    found.push({ operator, start: startOf(node), end: node.end, replacements });

  descend(source);
  return found;

  function descend(node: Node): void {
    if (isTypeNode(node) || isImportDeclaration(node) || isExportDeclaration(node)) return;
    if (isCallExpression(node) && LOG_CALL.test(textOf(node))) return;
    if (isIfStatement(node) || isWhileStatement(node)) negate(node.expression);
    if (isConditionalExpression(node)) negate(node.condition);
    if (isBinaryExpression(node)) swapOperator(node);
    if (isExpressionStatement(node) && !LOG_CALL.test(textOf(node))) add('remove statement', node, ';');
    if (isThrowStatement(node)) add('remove statement', node, ';');
    // Where the value is not used, `npm test` refuses a promise that nobody waits for.
    if (isAwaitExpression(node) && !isExpressionStatement(node.parent))
      add('remove await', node, textOf(node.expression));
    if (isReturnStatement(node) && node.expression) add('return empty', node.expression, ...EMPTY);
    if (isArrowFunction(node)) add('return empty', node.body, ...(isBlock(node.body) ? ['{}'] : EMPTY));
    if (isNumericLiteral(node)) add('number', node, changeNumber(node.text));
    if (isStringLiteral(node)) swapWord(node);
    if (isArrayLiteralExpression(node) || isObjectLiteralExpression(node)) dropElements(node);
    if (isCallExpression(node) && isPropertyAccessExpression(node.expression))
      found.push({
        operator: 'drop call',
        start: node.expression.expression.end,
        end: node.end,
        replacements: [''],
      });
    node.forEachChild(descend);
  }

  function negate(condition: Expression): void {
    add('negate', condition, `!(${textOf(condition)})`);
  }

  function swapOperator(node: BinaryExpression): void {
    const { operatorToken } = node;
    const bound = BOUNDS.get(operatorToken.kind);
    if (bound) add('bound', operatorToken, bound);
    const logic = LOGIC.get(operatorToken.kind);
    if (logic) add('and, or', operatorToken, logic);
    const equality = EQUALITY.get(operatorToken.kind);
    const isCondition = isIfStatement(node.parent) || isConditionalExpression(node.parent);
    if (equality && !isCondition) add('negate', operatorToken, equality);
  }

  /** Replaces a word of a closed union by each other word of the union. */
  function swapWord(node: StringLiteral): void {
    const { parent } = node;
    const other = isBinaryExpression(parent) && (parent.left === node ? parent.right : parent.left);
    const type = other ? checker.getTypeAtLocation(other) : checker.getContextualType(node);
    if (!type?.isUnionType()) return;
    const words = type.getTypes().flatMap((each) => (each.isStringLiteralType() ? [each.value] : []));
    const comparison = COMPARISONS[node.text];
    const others = comparison ? [comparison] : words.filter((word) => word !== node.text);
    if (others.length > 0) add('other word', node, ...others.map((word) => `'${word}'`));
  }

  function dropElements(node: ArrayLiteralExpression | ObjectLiteralExpression): void {
    const elements: readonly Node[] = isArrayLiteralExpression(node) ? node.elements : node.properties;
    for (const [index, element] of elements.entries()) {
      const next = elements[index + 1];
      const end = next ? startOf(next) : element.end;
      found.push({ operator: 'drop element', start: startOf(element), end, replacements: [''] });
    }
  }
}

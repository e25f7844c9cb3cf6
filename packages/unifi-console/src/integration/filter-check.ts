// Checks a parsed filter against the filterable properties: known names, allowed functions, literals of the right type.
// A compiled filter matches items and shows which property values it requires, so that a list can use an index.

import { fail, ok, type Result } from '../result.ts';
import { describeFault, FilterError, type FilterTree, type Literal, parseFilter } from './filter-syntax.ts';
import type { Refusal } from './refusal.ts';

export type FilterType = 'STRING' | 'UUID' | 'INTEGER' | 'BOOLEAN' | 'TIMESTAMP';
export type FilterValue = string | number | boolean;

export interface Property<Item> {
  type: FilterType;
  functions: readonly string[];
  /** Returns timestamps in milliseconds, and undefined if the item does not have the property. */
  read(item: Item): FilterValue | undefined;
}

export type Properties<Item> = Record<string, Property<Item>>;

export interface Filter<Item> {
  matches(item: Item): boolean;
  /** The value that every matching item has in this property, if the filter requires a single value. */
  pinned(property: string): FilterValue | undefined;
}

/** The minimum and maximum number of arguments of each filter function. */
const FUNCTIONS: Record<string, [number, number]> = {
  isNull: [0, 0],
  isNotNull: [0, 0],
  isEmpty: [0, 0],
  ...Object.fromEntries(
    [
      'eq',
      'ne',
      'gt',
      'ge',
      'lt',
      'le',
      'like',
      'contains',
      'containsAny',
      'containsAll',
      'containsExactly',
    ].map((name): [string, [number, number]] => [name, [1, 1]]),
  ),
  in: [1, Number.POSITIVE_INFINITY],
  notIn: [1, Number.POSITIVE_INFINITY],
};

const LITERALS: Record<FilterType, { pattern: RegExp; decode: (text: string) => FilterValue }> = {
  STRING: { pattern: /^/, decode: (text) => text },
  UUID: { pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, decode: (text) => text.toLowerCase() },
  INTEGER: { pattern: /^\d{1,18}$/, decode: Number },
  BOOLEAN: { pattern: /^(true|false)$/, decode: (text) => text === 'true' },
  TIMESTAMP: {
    pattern: /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d))?$/,
    decode: (text) => Date.parse(text),
  },
};

type Test = (value: FilterValue | undefined) => boolean;

interface CheckedCall<Item> {
  kind: 'call';
  property: string;
  /** The only value that matches, if the call is an `eq`. */
  equals: FilterValue | undefined;
  read: Property<Item>['read'];
  test: Test;
}

type Checked<Item> = { kind: 'and' | 'or' | 'not'; parts: Checked<Item>[] } | CheckedCall<Item>;

export function compileFilter<Item>(
  text: string,
  properties: Properties<Item>,
): Result<Filter<Item>, Refusal> {
  const refuse = (fault: FilterError) =>
    fail({ status: 400, code: 'api.request.invalid-filter', message: describeFault(text, fault) });
  const parsed = parseFilter(text);
  if (!parsed.ok) return refuse(parsed.problem);
  try {
    const checked = check(parsed.value, properties);
    return ok({
      matches: (item) => matches(checked, item),
      pinned: (property) => findPinned(checked, property),
    });
  } catch (error) {
    if (error instanceof FilterError) return refuse(error);
    throw error;
  }
}

function check<Item>(tree: FilterTree, properties: Properties<Item>): Checked<Item> {
  if (tree.kind !== 'call')
    return { kind: tree.kind, parts: tree.parts.map((part) => check(part, properties)) };
  const { property: name, function: called, at } = tree;
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (!property) throw new FilterError(`unknown filter property '${name}'`, at);
  const arity = Object.hasOwn(FUNCTIONS, called) ? FUNCTIONS[called] : undefined;
  if (!arity) throw new FilterError(`unknown filter function '${called}'`, at);
  if (!property.functions.includes(called))
    throw new FilterError(`'${called}' is not allowed for '${name}'`, at);
  const count = tree.arguments.length;
  if (count < arity[0] || count > arity[1])
    throw new FilterError(`'${called}' does not accept ${count} argument(s)`, at);
  const values = tree.arguments.map((literal) => decode(literal, property.type));
  const equals = called === 'eq' ? values[0] : undefined;
  return { kind: 'call', property: name, equals, read: property.read, test: makeTest(called, values) };
}

function decode({ text, isQuoted, isSet, at }: Literal, type: FilterType): FilterValue {
  const { pattern, decode: toValue } = LITERALS[type];
  const isRightForm = !isSet && isQuoted === (type === 'STRING') && pattern.test(text);
  const value = isRightForm ? toValue(text) : Number.NaN;
  if (Number.isNaN(value)) throw new FilterError(`'${text}' is not a value of type ${type}`, at);
  return value;
}

function matches<Item>(checked: Checked<Item>, item: Item): boolean {
  if (checked.kind === 'call') return checked.test(checked.read(item));
  if (checked.kind === 'and') return checked.parts.every((part) => matches(part, item));
  const isAny = checked.parts.some((part) => matches(part, item));
  return checked.kind === 'or' ? isAny : !isAny;
}

/** An absent value is not equal to any value, and neither greater nor less than any value. */
function makeTest(called: string, values: FilterValue[]): Test {
  const [first = ''] = values;
  const present = (test: (value: FilterValue) => boolean): Test => {
    return (value) => value !== undefined && test(value);
  };
  if (called === 'isNull') return (value) => value === undefined;
  if (called === 'isNotNull') return (value) => value !== undefined;
  if (called === 'ne' || called === 'notIn') return (value) => value === undefined || !values.includes(value);
  if (called === 'gt') return present((value) => value > first);
  if (called === 'ge') return present((value) => value >= first);
  if (called === 'lt') return present((value) => value < first);
  if (called === 'le') return present((value) => value <= first);
  if (called === 'like') {
    const pattern = toPattern(String(first));
    return present((value) => pattern.test(String(value)));
  }
  return present((value) => values.includes(value));
}

/** `.` matches one character, `*` any number of characters, and `\` escapes the next character. */
function toPattern(text: string): RegExp {
  const signs = text.match(/\\.|./gsu) ?? [];
  const source = signs.map((sign) => {
    if (sign === '.') return '.';
    if (sign === '*') return '.*';
    const plain = sign.length > 1 && sign.startsWith('\\') ? sign.slice(1) : sign;
    return plain.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
  });
  return new RegExp(`^${source.join('')}$`, 'su');
}

function findPinned<Item>(checked: Checked<Item>, property: string): FilterValue | undefined {
  if (checked.kind === 'and')
    return checked.parts.map((part) => findPinned(part, property)).find((value) => value !== undefined);
  return checked.kind === 'call' && checked.property === property ? checked.equals : undefined;
}

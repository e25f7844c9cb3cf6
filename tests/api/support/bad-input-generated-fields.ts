// Generators of single fields for property tests: JSON text and its meaning under the contract. The meaning is known
// from the construction of the text, not from parsing it.

import fc, { type Arbitrary } from 'fast-check';

export const MAX_VALUE = 2_147_483_647;
const MAX_NAME_LENGTH = 244;

/** JSON text and its meaning under the contract; undefined means that the field counts as absent. */
export interface Field<Meaning> {
  json: string;
  means: Meaning | undefined;
}

const blanks = fc.constantFrom('', '', ' ', '  ', '\t', '\n', '\u00a0');
const number = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -3, max: 3 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(480, MAX_VALUE - 1, MAX_VALUE, MAX_VALUE + 1, -MAX_VALUE - 1, 2 ** 53),
  },
  { weight: 1, arbitrary: fc.integer() },
);
const fraction = fc.constantFrom('', '', '.0', '.5', '.999', '.000001');
const huge = fc.constantFrom(
  '1e10',
  '1E+308',
  '1e999',
  '99999999999999999999',
  '-1e308',
  '-1e999',
  '-2147483649',
);
const notNumeric = fc.constantFrom(
  ...[
    'null',
    'true',
    'false',
    '[]',
    '[1]',
    '{}',
    '{"a":1}',
    '""',
    '" "',
    '"abc"',
    '"1abc"',
    '"0x1"',
    '"1 1"',
  ],
  ...[
    '"NaN"',
    '"Infinity"',
    '"-Infinity"',
    '"1e"',
    '"e1"',
    '"."',
    '"+"',
    '"--1"',
    '"1,5"',
    '"\\u0661"',
    '"\\uff11"',
  ],
);

/** Fractions are truncated towards zero, as the contract specifies. */
export const integerField: Arbitrary<Field<number>> = fc.oneof(
  fc.record({ n: number, rest: fraction }).map(({ n, rest }) => ({ json: `${n}${rest}`, means: n })),
  fc.record({ n: number, rest: fraction, left: blanks, right: blanks }).map(({ n, rest, left, right }) => ({
    json: JSON.stringify(`${left}${n}${rest}${right}`),
    means: n,
  })),
  fc.tuple(huge, fc.boolean()).map(([text, quoted]) => ({
    json: quoted ? `"${text}"` : text,
    means: text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY,
  })),
  fc.constantFrom('-0', '-0.5', '"-0"', '"-.5"', '".5"', '1e-9').map((json) => ({ json, means: 0 })),
  notNumeric.map((json) => ({ json, means: undefined })),
);

export type NameMeaning = { name: string } | { refused: 'too-long' | 'not-plain' };

const letter = fc.constantFrom(
  'a',
  'Z',
  '0',
  'ß',
  '\u200f',
  '\u0301',
  '\u{1F3AB}',
  '"',
  '\\',
  '/',
  '_',
  '\u200d',
);
const core = fc.oneof(
  { weight: 8, arbitrary: fc.array(letter, { minLength: 1, maxLength: 12 }) },
  {
    weight: 1,
    arbitrary: fc.tuple(letter, fc.integer({ min: 240, max: 250 })).map(([one, n]) => Array(n).fill(one)),
  },
);
const control = fc.constantFrom(
  '\u0000',
  '\u0007',
  '\n',
  '\t',
  '\u001b',
  '\u007f',
  '\u0085',
  '\ud83c',
  '\udfab',
  '\u200b',
  '\u202e',
  '\u2066',
);

export const nameField: Arbitrary<Field<NameMeaning>> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ core, left: blanks, right: blanks }).map(({ core, left, right }) => ({
      json: JSON.stringify(left + core.join('') + right),
      means: core.length > MAX_NAME_LENGTH ? ({ refused: 'too-long' } as const) : { name: core.join('') },
    })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(letter, control, letter).map((parts) => ({
      json: JSON.stringify(parts.join('')),
      means: { refused: 'not-plain' } as const,
    })),
  },
  { weight: 1, arbitrary: fc.integer().map((n) => ({ json: String(n), means: { name: String(n) } })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('null', 'true', '[]', '["x"]', '{}', '""', '" \\t\\u3000"', '1e999')
      .map((json) => ({ json, means: undefined })),
  },
);

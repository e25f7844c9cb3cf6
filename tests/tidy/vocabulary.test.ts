// Checks that replaced words are not used in names again. Comments and strings are not checked.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sources } from './sources.ts';
import { isRule, isStore } from './storeys.ts';

/** Each replaced word in lower case, with its replacement. Names of database columns and tables are exempt. */
const RETIRED: Record<string, string> = {
  access: 'connection, credentials or permission',
  answer: 'response',
  answers: 'responses',
  comfort: 'enhance',
  courier: 'delivery',
  auditContext: 'Actor',
  errand: 'wizard, purpose',
  guesses: 'LoginThrottle',
  house: 'Settings',
  needs: 'Deps',
  obstacle: 'readiness failure',
  people: 'users',
  person: 'user',
  turnstile: 'Semaphore',
  upkeep: 'sync',
  visit: 'PageContext',
  visitor: 'WebClient',
  wish: 'Input',
};
/** Replaced words that consist of several, joined by underscores. */
const RETIRED_PHRASES: [RegExp, string][] = [
  [/(?<!single_)(?:^|_)sign(?:ed|ing|s)?_(?:in|out)s?(?:_|$)/, 'login, logout'],
  [/(?:^|_)log_(?:in|out)(?:_|$)/, 'login, logout'],
  [/(?:^|_)set_up(?:_|$)/, 'setup'],
  [/(?:^|_)(?:revoke_many|revoking_many)(?:_|$)/, 'bulk revocation'],
  [/(?:^|_)name_order(?:_|$)/, 'name sort key'],
  [/(?:^|_)simulated_controller(?:_|$)/, 'simulated console'],
];
/** Names that mean something else in other files: rows that are read at once are a chunk, and a draft is a form. */
const RETIRED_IN: [isIn: (path: string) => boolean, name: RegExp, instead: string][] = [
  [(path) => path.startsWith('src/') && isStore(path), /^(?:page|pagesOf|PAGE)$/, 'chunk'],
  [isRule, /^(?:pagesOf|PAGE|onPage)$/, 'chunk'],
  [isStore, /draft/i, 'next secret'],
];
/** Constants for bounds start with MAX_ or MIN_. */
const OTHER_BOUNDS = /^(FEWEST|HIGHEST|LONGEST|LOWEST|MOST|SHORTEST)_/;
/** Names of tables, columns, fields of JSON and other software. */
const PUBLIC = [
  'obstacles',
  'half_sign_ins',
  'sign_in_failures',
  'idempotent_answers',
  'name_order',
  'answer',
  'answers',
  'access',
  'accessSync',
  'accessToken',
  'Access',
  'AccessToken',
  'accessLog',
  'disableFileAccess',
  'disableUrlAccess',
  'access_token',
  'realm_access',
  'user_site_access',
  'isPropertyAccessExpression',
];
/** Of a variable, `answer` and `access` are not the name of a column or a field. */
const DECLARED = /\b(?:const|let|function)\s+(answer|answers|access)\b/g;

/** The names in the code, without comments, regular expressions, strings and templates. */
function namesIn(text: string): string[] {
  const code = text
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .replace(/(?<=[(,=:[]\s*)\/(?:\\.|[^/\\\n])+\/[a-z]*/g, '')
    .replace(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g, '');
  return code.match(/[A-Za-z_$][\w$]*/g) ?? [];
}

const wordsOf = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_.\-/]/);

function retiredIn(name: string, path: string): string[] {
  if (OTHER_BOUNDS.test(name)) return [`${name}: say MAX_… or MIN_…`];
  const words = wordsOf(name);
  const phrase = words.join('_');
  return [
    ...words.filter((word) => Object.hasOwn(RETIRED, word)).map((word) => RETIRED[word]),
    ...RETIRED_PHRASES.filter(([retired]) => retired.test(phrase)).map(([, instead]) => instead),
    ...RETIRED_IN.filter(([isIn, retired]) => isIn(path) && retired.test(name)).map(
      ([, , instead]) => instead,
    ),
  ].map((instead) => `${name}: say ${instead}`);
}

test('names use the vocabulary of the trade', () => {
  const others = sources.filter(({ path }) => path !== 'tests/tidy/vocabulary.test.ts');
  const found = others.flatMap(({ path, text }) => {
    const names = new Set(namesIn(text).filter((name) => !PUBLIC.includes(name)));
    const declared = [...text.matchAll(DECLARED)].map(([, name = '']) => `${name}: say ${RETIRED[name]}`);
    // A released migration keeps its file.
    const found = [...(path.startsWith('src/platform/database/migrations/') ? [] : [path]), ...names].flatMap(
      (name) => retiredIn(name, path),
    );
    return [...found, ...declared].map((line) => `${path}: ${line}`);
  });
  assert.deepEqual(found, []);
});

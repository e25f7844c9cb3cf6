// Checks that replaced words are not used in names again. Comments and strings are not checked.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sources } from './sources.ts';

/** Each replaced word in lower case, with its replacement. Names of database columns and tables are exempt. */
const RETIRED: Record<string, string> = {
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
/** Constants for bounds start with MAX_ or MIN_. */
const OTHER_BOUNDS = /^(FEWEST|HIGHEST|LONGEST|LOWEST|MOST|SHORTEST)_/;
const PUBLIC = ['obstacles', 'half_sign_ins'];

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

function retiredIn(name: string): string[] {
  if (OTHER_BOUNDS.test(name)) return [`${name}: say MAX_… or MIN_…`];
  return wordsOf(name)
    .filter((word) => Object.hasOwn(RETIRED, word))
    .map((word) => `${name}: say ${RETIRED[word]}`);
}

test('names use the vocabulary of the trade', () => {
  const others = sources.filter(({ path }) => path !== 'tests/tidy/vocabulary.test.ts');
  const found = others.flatMap(({ path, text }) => {
    const names = new Set(namesIn(text).filter((name) => !PUBLIC.includes(name)));
    return [path, ...names].flatMap(retiredIn).map((line) => `${path}: ${line}`);
  });
  assert.deepEqual(found, []);
});

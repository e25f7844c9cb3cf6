// Tests that no message says "1 vouchers": every message with a count has a singular.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MESSAGES } from '../../src/kernel/texts/messages.ts';
import { allTexts } from './all-texts.ts';

const COUNTS = ['count', 'total', 'failures'];
/** Their count is always greater than one. */
const NEVER_ONE = ['form.buttonMany', 'result.many', 'slip.perSheet'];
const PLURALS = {
  de: /\b1 (?:\S+ )?(?:Tage|Geräte|Werte|Einträge|Versuche|Nachrichten|Sites|Ersatzcodes|Sekunden|Angaben)\b|\b1 (?:in Folge|unbenutzte |abgelaufene )|(?:[Dd]ie|übrigen|letzten) 1\b/,
  en: /\b1 (?:[a-z]+ )?(?!is\b|has\b|was\b)[a-z]+s\b|\b1 (?:in a row|unused$)|(?:last|remaining) 1\b/,
};

type Text = string | ((...values: never[]) => string);

/** All messages by their path. */
function textsIn(messages: object, path: string): [string, Text][] {
  return Object.entries(messages).flatMap(([name, text]): [string, Text][] => {
    const here = path === '' ? name : `${path}.${name}`;
    return typeof text === 'object' ? textsIn(text, here) : [[here, text]];
  });
}

/** Calls the message with 1 for every count. Undefined if it has no count. */
function sayOne(text: Text): string | undefined {
  if (typeof text === 'string') return undefined;
  if (String(text).startsWith('({')) return sayOneFinding(text);
  const names = (/^\(?([^)=]*)/.exec(String(text))?.[1] ?? '').split(',').map((name) => name.trim());
  if (!names.some((name) => COUNTS.includes(name))) return undefined;
  return Reflect.apply(
    text,
    undefined,
    names.map((name) => (COUNTS.includes(name) ? 1 : 'x')),
  );
}

/** The same for a finding of the health check: it gets its facts as one object, and functions that say times. */
function sayOneFinding(text: Exclude<Text, string>): string | undefined {
  const names = (/^\(\{([^}]*)/.exec(String(text))?.[1] ?? '').split(',').map((name) => name.trim());
  if (!names.some((name) => COUNTS.includes(name))) return undefined;
  const facts = Object.fromEntries(names.map((name) => [name, COUNTS.includes(name) ? 1 : 'x']));
  const say = new Proxy({}, { get: () => () => 'x' });
  return Object.values(Reflect.apply(text, undefined, [facts, say]) as object).join(' ');
}

for (const language of ['de', 'en'] as const)
  test(`every message with a count has a singular in ${language}`, async () => {
    const said = textsIn(await allTexts(language), '').flatMap(([path, text]) => {
      const one = NEVER_ONE.some((one) => path.endsWith(one)) ? undefined : sayOne(text);
      return one === undefined ? [] : [`${path}: ${one}`];
    });
    assert.ok(said.length > 20, `only ${said.length} messages have a count`);
    assert.deepEqual(
      said.filter((one) => PLURALS[language].test(one)),
      [],
    );
    const { sentences } = MESSAGES[language].admin.audit;
    for (const [action, sentence] of Object.entries(sentences))
      if (sentence.includes('{count}')) assert.ok(sentences[`${action}:one`], action);
  });

// Finds and replaces a personal text in stored JSON: only inside string values, so that the result has the same form.

import type { PersonalText } from './personal-text.ts';

/** Finds and replaces `text` in stored values that are JSON. In any other value, it is neither found nor replaced. */
export function inJson(text: PersonalText): PersonalText {
  return {
    isIn: (json) => someString(json, text.isIn) ?? false,
    replaceIn: (json) => mapStrings(json, text.replaceIn) ?? json,
  };
}

/** For stored values that may end with a JSON object, such as this subject: `user 5 (anna@example.org): {…}`. */
export function inTextWithJson(text: PersonalText): PersonalText {
  return {
    isIn(whole) {
      const [start, json] = split(whole);
      return text.isIn(start) || (someString(json, text.isIn) ?? text.isIn(whole));
    },
    replaceIn(whole) {
      const [start, json] = split(whole);
      const mapped = mapStrings(json, text.replaceIn);
      return mapped === undefined ? text.replaceIn(whole) : text.replaceIn(start) + mapped;
    },
  };
}

function split(whole: string): [start: string, json: string] {
  const at = whole.indexOf('{');
  return at < 0 ? [whole, ''] : [whole.slice(0, at), whole.slice(at)];
}

/** Undefined if the text is not JSON. */
function someString(json: string, test: (text: string) => boolean): boolean | undefined {
  let found = false;
  const mapped = mapStrings(json, (one) => {
    found ||= test(one);
    return one;
  });
  return mapped === undefined ? undefined : found;
}

/** Undefined if the text is not JSON. */
function mapStrings(json: string, map: (text: string) => string): string | undefined {
  if (json === '') return undefined;
  try {
    const mapped: unknown = JSON.parse(json, (_key, value: unknown) =>
      typeof value === 'string' ? map(value) : value,
    );
    return JSON.stringify(mapped);
  } catch {
    return undefined;
  }
}

// Finds environment variables that look like misspelt settings. A misspelt setting has no effect, and nobody would
// notice.

import { readClientSettings } from './read-client-settings.ts';
import { readConfig } from './read-config.ts';
import type { Environment } from './reader.ts';

interface MisspeltSetting {
  name: string;
  /** The setting with the most similar name; undefined if there is none. */
  meant: string | undefined;
}

/** Environment variables that Kubernetes sets for a service named gastpass. */
const SET_BY_KUBERNETES = /^GASTPASS_(\w+_)?(SERVICE_HOST|SERVICE_PORT\w*|PORT(_\d+_\w+)?)$/;
const MIN_LENGTH = 4;
const LETTERS_PER_MISTAKE = 5;

export function findMisspeltSettings(environment: Environment = process.env): MisspeltSetting[] {
  const known = settingNames();
  const unknown = Object.keys(environment).filter((name) => environment[name] && !known.includes(name));
  return unknown.flatMap((name) => {
    const meant = known
      .map((setting) => ({ setting, mistakes: countMistakes(name.toUpperCase(), setting) }))
      .filter(({ setting, mistakes }) => setting.length >= MIN_LENGTH && mistakes <= maxMistakes(setting))
      .sort((one, other) => one.mistakes - other.mistakes)[0]?.setting;
    const isOurs = name.startsWith('GASTPASS_') && !SET_BY_KUBERNETES.test(name);
    return meant !== undefined || isOurs ? [{ name, meant }] : [];
  });
}

/** The names that the service and the commands ask for, including those that end in `_FILE`. */
export function settingNames(): string[] {
  const names = new Set<string>();
  const recorder: Environment = new Proxy(
    {},
    {
      get(_, name) {
        names.add(String(name));
      },
    },
  );
  readConfig(recorder);
  readClientSettings(recorder);
  return [...names];
}

/** One mistake is always allowed; long names may have more. */
function maxMistakes(setting: string): number {
  return Math.max(1, Math.floor(setting.length / LETTERS_PER_MISTAKE));
}

/**
 * The number of edits that turn one text into the other. An edit inserts, deletes or replaces a letter, or swaps two
 * neighbouring letters.
 */
function countMistakes(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          at(last, column) + 1,
          at(current, column - 1) + 1,
          at(last, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [before, last] = [last, current];
  }
  return at(last, other.length);
}

function at(row: number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}

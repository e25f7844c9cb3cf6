// Reads single settings from environment variables. Each setting can also be read from a file named by `<NAME>_FILE`.

import { readFileSync } from 'node:fs';

export type Environment = Readonly<Record<string, string | undefined>>;
export type Reader = ReturnType<typeof makeReader>;

/**
 * Text settings that cannot contain a secret, so that an error message may show the value. The values of numbers and
 * choices are always shown.
 */
const SHOWN = new Set(['BASE_PATH', 'TZ', 'OIDC_SCOPES', 'SMTP_TLS']);

export function makeReader(environment: Environment, issues: string[]) {
  /** An empty value counts as not set, as it does for most tools that pass environment variables on. */
  function raw(name: string): string | undefined {
    const direct = environment[name] || undefined;
    const file = environment[`${name}_FILE`] || undefined;
    if (file === undefined) return direct;
    if (direct !== undefined) {
      issues.push(`${name} and ${name}_FILE are both set: use one`);
      return undefined;
    }
    try {
      const value = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
      if (value) return value;
      issues.push(`${name}_FILE: ${file} is empty: write the value into it, or remove the setting`);
    } catch (error) {
      const why = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
      issues.push(`${name}_FILE: cannot read ${file} (${why})${adviseOnFile(why, file)}`);
    }
    return undefined;
  }

  /** The value as an issue shows it. A value that was read from a file is not shown: the file may contain a secret. */
  function found(name: string): string {
    const value = environment[name];
    return value ? `, found ${JSON.stringify(value)}${adviseOnComment(value)}` : '';
  }

  function text<Fallback extends string | undefined>(
    name: string,
    fallback: Fallback,
    isGood: (text: string) => boolean = () => true,
    expected = '',
  ): string | Fallback {
    const value = raw(name);
    if (value === undefined) return fallback;
    if (!isGood(value)) issues.push(`${name}: expected ${expected}${SHOWN.has(name) ? found(name) : ''}`);
    return value;
  }

  function integer<Fallback extends number | undefined>(
    name: string,
    fallback: Fallback,
    min: number,
    max: number,
  ): number | Fallback {
    const value = raw(name);
    if (value === undefined) return fallback;
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    issues.push(`${name}: expected a whole number from ${min} to ${max}${found(name)}`);
    return fallback;
  }

  function choice<Choice extends string>(name: string, fallback: Choice, choices: readonly Choice[]): Choice {
    const value = raw(name);
    if (value === undefined) return fallback;
    const chosen = choices.find((candidate) => candidate === value);
    if (chosen === undefined) issues.push(`${name}: expected one of ${choices.join(', ')}${found(name)}`);
    return chosen ?? fallback;
  }

  const isGivenDirectly = (name: string) => Boolean(environment[name]);

  return { text, integer, choice, isGivenDirectly, issues };
}

function adviseOnFile(code: string, file: string): string {
  if (code === 'ENOENT' || code === 'ENOTDIR') return ': create the file, or correct the path';
  if (code === 'EISDIR')
    return ': it is a folder, but must be a file; a container engine creates a folder if the file to mount is missing';
  return code === 'EACCES' || code === 'EPERM'
    ? `: let the service's user read it, as with chown gastpass ${file} and chmod 600 ${file}, and enter its folder; or run the command as that user`
    : '';
}

/** Names a frequent mistake. */
export function adviseOnComment(value: string): string {
  return value.includes(' #') ? ': a comment must be on a line of its own' : '';
}

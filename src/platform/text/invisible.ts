// Characters that cannot be seen: control and formatting characters, lone surrogates, line and paragraph separators.
// They are refused in names and passwords, because two values could look the same.

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const EVERY_INVISIBLE = new RegExp(INVISIBLE, 'gu');

export function hasInvisible(text: string): boolean {
  return INVISIBLE.test(text);
}

export function withoutInvisible(text: string): string {
  return text.replace(EVERY_INVISIBLE, '');
}

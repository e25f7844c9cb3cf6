// Makes a name harmless in a chat, whatever chat it is: it can neither ping anybody nor be taken for markup.
// Characters that mean something get a twin that looks alike; so it does not depend on how a platform's
// parser happens to unescape. See docs/decisions/0016.

const MAX_NAME_LENGTH = 200;

const TWINS: Record<string, string> = {
  // The sentence puts names into quotes.
  '"': '”',
  '<': '‹',
  '>': '›',
  '@': '＠',
  '#': '＃',
  '*': '∗',
  '`': 'ˋ',
  '~': '∼',
  '[': '［',
  ']': '］',
  '|': '｜',
  '\\': '＼',
};

export function toPlain(name: string): string {
  const line = name
    // Half a character is none.
    .toWellFormed()
    // Line breaks, and invisible characters that turn the direction of writing or hide others.
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Cf}/gu, '')
    .replace(/["<>@#*`~[\]|\\]/g, (character) => TWINS[character] ?? '')
    // Mattermost turns &commat; into an @ before it looks for mentions.
    .replace(/&(?=\w+;)/g, '＆')
    // Within a word it is just a character, as in my_key.
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '＿')
    // Nothing to click on.
    .replace(/:\/\//g, ':∕∕')
    .replace(/\b(www)\./gi, '$1․')
    .trim();
  const characters = [...line];
  return characters.length <= MAX_NAME_LENGTH
    ? line
    : `${characters.slice(0, MAX_NAME_LENGTH - 1).join('')}…`;
}

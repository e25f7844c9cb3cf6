// Makes a name safe for every chat platform: it can neither mention anybody nor act as markup. Special characters are
// replaced by similar-looking characters, so that safety does not depend on how the parser of a platform unescapes.
// See docs/decisions/0061-messages.md.

const MAX_NAME_LENGTH = 200;

const TWINS: Record<string, string> = {
  // Messages show names in quotation marks, so a name must not contain one.
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
    // Replace lone surrogates.
    .toWellFormed()
    // Replace line breaks; remove invisible characters that change the text direction or hide other characters.
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Cf}/gu, '')
    .replace(/["<>@#*`~[\]|\\]/g, (character) => TWINS[character] ?? '')
    // Replace the & of entities: Mattermost decodes &commat; to @ before it looks for mentions.
    .replace(/&(?=\w+;)/g, '＆')
    // An underscore inside a word, as in my_key, is not markup, so it is kept.
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '＿')
    // Prevent links.
    .replace(/:\/\//g, ':∕∕')
    .replace(/\b(www)\./gi, '$1․')
    .trim();
  const characters = [...line];
  return characters.length <= MAX_NAME_LENGTH
    ? line
    : `${characters.slice(0, MAX_NAME_LENGTH - 1).join('')}…`;
}

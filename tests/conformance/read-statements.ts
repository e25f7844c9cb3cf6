// Takes a contract in Markdown apart into its statements: every table row, and every sentence of its
// bullets, numbered steps and paragraphs. Headings and the head rows of tables state nothing.

/** Each as it stands in the text, without bullet, number or outer pipes. */
export function readStatements(markdown: string): string[] {
  const lines = markdown.split('\n').map((line) => line.trim());
  return lines.flatMap((line, index) => {
    if (line === '' || line.startsWith('#')) return [];
    if (line.startsWith('|')) return isHead(line, lines[index + 1]) ? [] : [line.slice(1, -1).trim()];
    return sentencesOf(line.replace(/^(- |\d+\. )/, ''));
  });
}

function isHead(line: string, next: string | undefined): boolean {
  return isRule(line) || isRule(next ?? '');
}

function isRule(line: string): boolean {
  return /^\|[-|]+\|$/.test(line);
}

function sentencesOf(text: string): string[] {
  return text.split(/(?<=\.)\s+(?=[A-Z`])/);
}

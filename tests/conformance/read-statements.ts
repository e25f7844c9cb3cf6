// Splits a contract in Markdown into its statements: every table row, and every sentence of its bullets, numbered steps
// and paragraphs. Headings and the header rows of tables are not statements.

/** Returns each statement unchanged, without its bullet, number or outer pipes. */
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

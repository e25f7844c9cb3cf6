// Splits a contract in Markdown into its headings and its statements: every table row, and every sentence of its
// bullets, numbered steps and paragraphs. The title and the header rows of tables are left out.

interface Line {
  kind: 'heading' | 'statement';
  text: string;
}

/** Returns headings as they are, and each statement without its bullet, number or outer pipes. */
export function readLines(markdown: string): Line[] {
  const lines = markdown.split('\n').map((line) => line.trim());
  return lines.flatMap((line, index): Line[] => {
    if (line === '' || line.startsWith('# ')) return [];
    if (line.startsWith('#')) return [{ kind: 'heading', text: line }];
    return statementsOf(line, lines[index + 1]).map((text) => ({ kind: 'statement', text }));
  });
}

function statementsOf(line: string, next: string | undefined): string[] {
  if (line.startsWith('|')) return isHead(line, next) ? [] : [line.slice(1, -1).trim()];
  return sentencesOf(line.replace(/^(- |\d+\. )/, ''));
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

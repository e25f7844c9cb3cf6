// Why a dump cannot be read, with the number of the line.

export class DumpError extends Error {
  readonly line: number;

  constructor(line: number, text: string) {
    super(`line ${line} of the dump: ${text}`);
    this.name = 'DumpError';
    this.line = line;
  }
}

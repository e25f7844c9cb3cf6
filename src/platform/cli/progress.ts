// Shows the progress of a long operation: a progress bar on a terminal, otherwise one line per finished part. Writes
// to stderr, so that stdout contains only the output of the command.

import { withoutControls } from '../text/control-characters.ts';

const WIDTH = 30;

export function showProgress(name: string, done: number, total: number): void {
  const part = withoutControls(name);
  const isDone = done >= total;
  const counts = `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`;
  if (!process.stderr.isTTY) {
    if (isDone) process.stderr.write(`${part}: ${counts}\n`);
    return;
  }
  const filled = total === 0 ? WIDTH : Math.floor((done / total) * WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
  process.stderr.write(`\r\u001b[2K${part.padEnd(20)} ${bar} ${counts}${isDone ? '\n' : ''}`);
}

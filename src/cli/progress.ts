// Shows how far a long piece of work is: a bar that moves on a terminal, a line per part elsewhere. On
// stderr, so that what a command prints stays clean.

const WIDTH = 30;

export function showProgress(part: string, done: number, total: number): void {
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

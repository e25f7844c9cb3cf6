// Formats log lines for a terminal: time, level, message, fields, and the stack of an error.

import { styleText } from 'node:util';
import type { DestinationStream } from 'pino';

const colours = new Map([
  ['info', 'green'],
  ['warn', 'yellow'],
  ['error', 'red'],
  ['fatal', 'red'],
] as const);

export function makeTerminalStream(out: { write(text: string): unknown }): DestinationStream {
  return {
    write(line) {
      const { level, time, msg, err, ...facts } = JSON.parse(line);
      const clock = new Date(time).toTimeString().slice(0, 8);
      const colour = colours.get(level) ?? 'gray';
      const details = Object.entries(facts).map(([name, value]) => `${name}=${show(value)}`);
      const head = `${styleText('gray', clock)} ${styleText(colour, level.padEnd(5))} ${msg ?? ''}`;
      out.write(`${[head, styleText('gray', details.join(' '))].join(' ').trimEnd()}\n`);
      if (err?.stack) out.write(`${err.stack}\n`);
    },
  };
}

function show(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

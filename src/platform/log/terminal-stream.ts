// Formats log lines for a terminal: time, level, message, fields, and the stack of an error. Control characters are
// replaced or removed, so that no text can begin a new line or control the terminal.

import { styleText } from 'node:util';
import type { DestinationStream } from 'pino';
import { withoutControls } from '../text/control-characters.ts';

const colours = new Map([
  ['info', 'green'],
  ['warn', 'yellow'],
  ['error', 'red'],
  ['fatal', 'red'],
] as const);

/** Matches the line break before each call and each cause in a stack. Other line breaks belong to messages. */
const NEXT_OF_STACK = /\n(?= {4}at |caused by: )/;

export function makeTerminalStream(out: { write(text: string): unknown }): DestinationStream {
  return {
    write(line) {
      const { level, time, msg, err, ...facts } = JSON.parse(line);
      const clock = new Date(time).toTimeString().slice(0, 8);
      const colour = colours.get(level) ?? 'gray';
      const details = Object.entries(facts).map(([name, value]) => `${name}=${show(value)}`);
      const head = `${styleText('gray', clock)} ${styleText(colour, level.padEnd(5))} ${withoutControls(msg ?? '')}`;
      const tail = styleText('gray', withoutControls(details.join(' ')));
      out.write(`${[head, tail].join(' ').trimEnd()}\n`);
      if (err?.stack) out.write(`${err.stack.split(NEXT_OF_STACK).map(withoutControls).join('\n')}\n`);
    },
  };
}

function show(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

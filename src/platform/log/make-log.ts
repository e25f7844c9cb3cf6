// The log: one JSON object per line, or short coloured lines on a terminal. Secrets are masked in every line.

import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { maskSecrets } from '../secrets/mask-secrets.ts';
import { escapeControls } from '../text/control-characters.ts';
import { maskFields } from './mask-fields.ts';
import { makeTerminalStream } from './terminal-stream.ts';
import { currentTraceId } from './trace.ts';

export type AppLog = Logger;

/** Lines are buffered and written in blocks. The buffer is flushed at this interval. */
const FLUSH_AFTER_MS = 500;
const BLOCK_BYTES = 4096;

export function makeLog(level: string, stream: DestinationStream = standardOutput()): AppLog {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        logMethod([fields, message], write) {
          const traceId = currentTraceId();
          const line = maskFields(fields);
          const isTraced = traceId !== undefined && typeof line === 'object';
          write.call(this, isTraced ? { ...line, traceId } : line, maskSecrets(message ?? ''));
        },
        streamWrite: escapeControls,
      },
    },
    stream,
  );
}

function standardOutput(): DestinationStream {
  if (process.stdout.isTTY) return makeTerminalStream(process.stdout);
  return destination({ dest: 1, sync: false, minLength: BLOCK_BYTES, periodicFlush: FLUSH_AFTER_MS });
}

// The channel of printers: prints slips on printers that the service connects to. The other kinds of printers ask for
// their jobs themselves. A slip is drawn when it is printed, so that the queue never contains a code.

import { asPrinterId } from '../../../kernel/ids.ts';
import type { Installation } from '../../../kernel/installation.ts';
import type { Channel } from '../../../kernel/messages/channel.ts';
import type { ChannelKind, ChannelParts } from '../../../kernel/messages/channel-kind.ts';
import { type AttemptOutcome, type Message, NOTHING_SENT } from '../../../kernel/messages/message.ts';
import { PRINTER_CHANNEL, UNCONFIRMED } from '../print-job.ts';
import type { Printer } from '../printer.ts';
import { readPrinterAddress } from '../printer-address.ts';
import { PRINT_TRIES } from '../printer-metrics.ts';
import type { DrawJob } from './draw-job.ts';
import { makeDrawOrGiveUp } from './draw-or-give-up.ts';
import type { HeardStatus, PrintResult, TcpPrinting } from './tcp-session.ts';

export const printerChannel = {
  rules: PRINTER_CHANNEL,
  tries: PRINT_TRIES,
  open: openPrinterChannel,
} satisfies ChannelKind;

declare module '../../../kernel/messages/channel-kind.ts' {
  interface ChannelParts {
    drawJob: DrawJob;
  }
}

/** Printers follow the rule for webhooks. */
type Deps = Pick<Installation, 'printers' | 'printJobs' | 'webhookTargets' | 'clock'>;

/** Users wait for their slips: a printer with new paper prints within ten seconds. */
const MAX_PAUSE_MS = 8_000;

const REMOVED: AttemptOutcome = { ...NOTHING_SENT, result: 'cancelled', error: 'the printer was removed' };
const NO_ADDRESS = notReady('the printer has no usable address', 0);

function openPrinterChannel(
  { printers, printJobs, webhookTargets, clock }: Deps,
  { drawJob, pace }: Pick<ChannelParts, 'drawJob' | 'pace'>,
): Channel {
  const draw = makeDrawOrGiveUp(drawJob);
  let printing: TcpPrinting | undefined;

  return {
    ...PRINTER_CHANNEL,
    mayRepeat: false,
    collect: printJobs.expireOld,

    async prepare(message) {
      const printer = await find(message);
      return !printer || printer.kind === 'escpos' ? { ...message, merged: [] } : undefined;
    },

    async send(message, signal, begin) {
      const printer = await find(message);
      if (!printer) return REMOVED;
      const address = readPrinterAddress(printer.address ?? '');
      if (!address) return NO_ADDRESS;
      const drawn = await draw(printer, message);
      if ('outcome' in drawn) return drawn.outcome;
      // Loaded with the first job.
      const { writeEscPosJob } = await import('./escpos-job.ts');
      const { openTcpPrinting } = await import('./tcp-session.ts');
      const bytes = writeEscPosJob(drawn.picture, printer);
      printing ??= openTcpPrinting(webhookTargets, pace);
      const startMs = performance.now();
      const result = await printing.print({ address, bytes, begin }, signal);
      if ('status' in result && !signal.aborted) await note(printer, result.status);
      return toOutcome(result, performance.now() - startMs);
    },
  };

  function find({ recipientId }: Message): Promise<Printer | undefined> {
    return printers.find(asPrinterId(recipientId));
  }

  async function note({ id }: Printer, heard: HeardStatus): Promise<void> {
    await printers.noteStatus(id, { ...heard, atMs: clock.nowMs() });
  }
}

function toOutcome(result: PrintResult, durationMs: number): AttemptOutcome {
  const made = { ...NOTHING_SENT, durationMs };
  switch (result.result) {
    case 'printed':
      return { ...made, result: 'done', response: result.isConfirmed ? null : UNCONFIRMED };
    case 'not-ready':
      return notReady(result.status.words ?? result.status.state, durationMs);
    case 'unknown':
      return { ...made, result: 'unknown', error: result.error, maxPauseMs: MAX_PAUSE_MS };
    case 'refused':
      return { ...made, result: 'cancelled', error: 'the job has ended meanwhile' };
  }
}

/** The job waits until it expires. */
function notReady(error: string, durationMs: number): AttemptOutcome {
  return {
    ...NOTHING_SENT,
    durationMs,
    result: 'later',
    pauses: 'recipient',
    retryAfterMs: null,
    isFaultOfRecipient: true,
    maxPauseMs: MAX_PAUSE_MS,
    error,
  };
}

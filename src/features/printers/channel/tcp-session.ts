// Prints one job on an ESC/POS printer, on a connection of its own. The printer is asked for its state first, and the
// job begins only if it is ready. A printer that answers must also confirm the job. Many printers never answer: their
// jobs are sent without a confirmation. A printer that has answered before and now does not is busy or stuck: it gets
// no job.

import type { TargetRule } from '../../../platform/network/targets/ip-rules.ts';
import { toOneLine } from '../../../platform/text/one-line.ts';
import type { PrinterStatus } from '../printer.ts';
import type { PrinterAddress } from '../printer-address.ts';
import { ASK_IN_TURN, askNow, QUESTIONS, type Replies, type Reply, toState } from './status-replies.ts';
import { makePrinterNetwork, type PrinterConnection, type PrinterNetwork } from './tcp-connection.ts';

export interface PrinterLimits {
  connectMs: number;
  /** For a reply to a question that is answered at once. */
  replyMs: number;
  /** The longest time in which the printer takes no bytes. */
  stallMs: number;
  /** For the confirmation, after the last byte was sent. A slow printer needs this time for five long slips. */
  confirmMs: number;
  /** Until a printer that never answers is taken to have received everything. */
  quietMs: number;
}

const limitsAt = (pace: number): PrinterLimits => ({
  connectMs: 5_000 * pace,
  replyMs: 1_000 * pace,
  stallMs: 10_000 * pace,
  confirmMs: 30_000 * pace,
  quietMs: 2_000 * pace,
});

export type HeardStatus = Omit<PrinterStatus, 'atMs'>;

export interface EscPosJob {
  address: PrinterAddress;
  bytes: Uint8Array;
  /** Called right before the first byte of the job. If it returns false, the job must not be printed. */
  begin(): Promise<boolean>;
}

export type PrintResult =
  | { result: 'printed'; isConfirmed: boolean; status: HeardStatus }
  /** Nothing was sent. */
  | { result: 'not-ready'; status: HeardStatus }
  | { result: 'refused' }
  /** `status` is what was heard last. */
  | { result: 'unknown'; error: string; status: HeardStatus };

const READY: HeardStatus = { state: 'ready', words: null };

export interface TcpPrinting {
  /** Rejects only if `begin` does. */
  print(job: EscPosJob, signal: AbortSignal): Promise<PrintResult>;
  /** Asks the printer for its state and prints nothing. Never rejects. */
  check(address: PrinterAddress, signal: AbortSignal): Promise<HeardStatus>;
}

/** `pace` scales all time limits; 1 is real time. */
export function openTcpPrinting(rule: TargetRule, pace: number): TcpPrinting {
  return makeTcpPrinting({ network: makePrinterNetwork(rule), limits: limitsAt(pace) });
}

export function makeTcpPrinting({
  network,
  limits,
}: {
  network: PrinterNetwork;
  limits: PrinterLimits;
}): TcpPrinting {
  /** The addresses of printers that have answered a question. */
  const answering = new Set<string>();

  return {
    async print({ address, bytes, begin }, signal) {
      const { status, ...opened } = await open(address, signal);
      using connection = opened.connection;
      if (!connection || status.state !== 'ready') return { result: 'not-ready', status };
      if (!(await begin())) return { result: 'refused' };
      return await send(connection, bytes).catch((error) => failed(toWords(error)));
    },
    async check(address, signal) {
      const { status, connection } = await open(address, signal);
      connection?.[Symbol.dispose]();
      return status;
    },
  };

  /** Without a connection if the printer cannot be reached or the connection fails. */
  async function open(
    address: PrinterAddress,
    signal: AbortSignal,
  ): Promise<{ status: HeardStatus; connection?: PrinterConnection }> {
    let connection: PrinterConnection | undefined;
    try {
      connection = await network.open(address, limits.connectMs, signal);
      const status = await askState(connection);
      const name = `${address.host} ${address.port}`;
      if (connection.hasAnswered()) answering.add(name);
      else if (answering.has(name) && status.state === 'ready')
        throw new Error('the printer takes connections, but no longer answers');
      return { status, connection };
    } catch (error) {
      connection?.[Symbol.dispose]();
      return { status: { state: 'silent', words: toWords(error) } };
    }
  }

  /** A printer that does not answer is ready: it has accepted the connection. */
  async function askState(connection: PrinterConnection): Promise<HeardStatus> {
    const replies: Replies = {};
    for (const about of QUESTIONS) {
      await connection.write(askNow(about), limits.replyMs);
      const reply = await connection.nextReply('now', limits.replyMs);
      if (!reply) break;
      replies[about] = reply.bits;
    }
    return connection.isForeign()
      ? { state: 'fault', words: 'the device does not answer like a receipt printer' }
      : toState(replies);
  }

  async function send(connection: PrinterConnection, bytes: Uint8Array): Promise<PrintResult> {
    await connection.write(bytes, limits.stallMs);
    await connection.write(ASK_IN_TURN, limits.stallMs);
    const reply = await awaitConfirmation(connection);
    if (connection.isForeign()) return failed('the device does not answer like a receipt printer');
    if (reply) {
      // The job is done, however the connection ends.
      await connection.leave(limits.replyMs).catch(() => {});
      return { result: 'printed', isConfirmed: true, status: READY };
    }
    if (connection.hasAnswered()) return stopped(await askState(connection));
    await connection.leave(limits.quietMs);
    return { result: 'printed', isConfirmed: false, status: READY };
  }

  async function awaitConfirmation(connection: PrinterConnection): Promise<Reply | undefined> {
    const early = await connection.nextReply('in-turn', limits.quietMs);
    return (
      early ?? (connection.hasAnswered() ? connection.nextReply('in-turn', limits.confirmMs) : undefined)
    );
  }

  function stopped(status: HeardStatus): PrintResult {
    const why = status.state === 'ready' ? '' : `: ${status.words ?? status.state}`;
    return { result: 'unknown', error: `the printer did not confirm the job${why}`, status };
  }
}

function failed(error: string): PrintResult {
  return { result: 'unknown', error, status: { state: 'fault', words: error } };
}

function toWords(error: unknown): string {
  const { message, code } =
    error instanceof Error ? { code: undefined, ...error, message: error.message } : {};
  return toOneLine(message || String(code ?? error));
}

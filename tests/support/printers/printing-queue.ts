// The queue of print jobs with its printer channel, on the engine under test. All slips look the same, because drawing
// them would take most of the time.

import assert from 'node:assert/strict';
import { openInstallation } from '../../../src/app/installation.ts';
import { printerChannel } from '../../../src/features/printers/channel/channel.ts';
import type { DrawJob } from '../../../src/features/printers/channel/draw-job.ts';
import { writeEscPosJob } from '../../../src/features/printers/channel/escpos-job.ts';
import type { LoggedPrintJob } from '../../../src/features/printers/print-job.ts';
import type { NewPrinter, Printer } from '../../../src/features/printers/printer.ts';
import type { MessageId, PrinterId } from '../../../src/kernel/ids.ts';
import { makeJudgeAttempt } from '../../../src/kernel/messages/judge-attempt.ts';
import { startMessageLoop } from '../../../src/kernel/messages/message-loop.ts';
import { makeSendTo } from '../../../src/kernel/messages/send-messages.ts';
import { makeLog } from '../../../src/platform/log/make-log.ts';
import { systemClock } from '../../../src/platform/time/clock.ts';
import { TESTER } from '../actors.ts';
import { makeFolder } from '../run-gastpass.ts';
import { configOf } from '../test-service.ts';
import { until } from '../until.ts';

const HEIGHT = 300;
const WIDTH = 384;
const PICTURE = { width: WIDTH, height: HEIGHT, bits: Buffer.alloc((WIDTH / 8) * HEIGHT, 0xaa) };
export const JOB_BYTES = writeEscPosJob(PICTURE, { copies: 1, hasCutter: true }).length;

/** Pauses of the queue are short. Printers of tests share the processor, so they get more time to answer. */
const QUEUE_PACE = 0.02;
const PRINTER_PACE = 0.8;

export interface PrintingQueue extends AsyncDisposable {
  addPrinter(address: string, settings?: Partial<NewPrinter>): Promise<PrinterId>;
  findPrinter(id: PrinterId): Promise<Printer>;
  removePrinter(id: PrinterId): Promise<boolean>;
  /** Queues a job. */
  order(printerId: PrinterId): Promise<MessageId>;
  find(id: MessageId): Promise<LoggedPrintJob>;
  until(id: MessageId, state: LoggedPrintJob['state']): Promise<LoggedPrintJob>;
  logLines: Record<string, unknown>[];
  /** Starts another sender, as another instance would. */
  startSender(): { stop(): Promise<void> };
}

export async function startPrintingQueue({
  drawJob = async () => ({ picture: PICTURE }),
}: {
  drawJob?: DrawJob;
} = {}): Promise<PrintingQueue> {
  const { folder, remove } = makeFolder();
  const installation = await openInstallation(await configOf(folder), systemClock);
  const { printers, printJobs, sites, messages: queue, withLease } = installation;
  const audit = () => ({ actor: TESTER, atMs: systemClock.nowMs() });
  const siteId = await sites.add(
    {
      name: 'Haus A',
      active: true,
      controllerKind: 'simulator',
      controllerSite: 'default',
      connection: null,
    },
    audit(),
  );
  const logLines: Record<string, unknown>[] = [];
  const log = makeLog('info', { write: (line) => void logLines.push(JSON.parse(line)) });
  const senders = new Set<{ stop(): Promise<void> }>();
  startSender();

  function startSender() {
    const observe = () => {};
    const channel = printerChannel.open(installation, { drawJob, pace: PRINTER_PACE });
    const judgeAttempt = makeJudgeAttempt({ random: Math.random, pace: QUEUE_PACE });
    const sendTo = makeSendTo({ channel, queue, judgeAttempt, withLease, log, observe, pace: PRINTER_PACE });
    const loop = startMessageLoop({ channel, queue, sendTo, log, pace: QUEUE_PACE });
    senders.add(loop);
    return loop;
  }

  async function find(id: MessageId): Promise<LoggedPrintJob> {
    const [job] = await printJobs.search({ id, limit: 1 });
    assert.ok(job, `there is no job ${id}`);
    return job;
  }

  return {
    logLines,
    startSender,
    find,
    async addPrinter(address, settings) {
      const printer: NewPrinter = {
        ...{ siteId, kind: 'escpos', name: 'Empfang', address, paper: 58, layout: 'full' },
        ...{ copies: 1, hasCutter: true, jobMinutes: 10 },
        ...settings,
      };
      return printers.add(printer, null, audit());
    },
    async findPrinter(id) {
      const printer = await printers.find(id);
      assert.ok(printer, `there is no printer ${id}`);
      return printer;
    },
    removePrinter: (id) => printers.remove(id, audit()),
    async order(printerId) {
      const printer = await printers.find(printerId);
      assert.ok(printer);
      return printJobs.addTest(printer, audit());
    },
    async until(id, state) {
      let job = await find(id);
      await until(async () => {
        job = await find(id);
        const isWaiting = [state, 'queued', 'sending'].includes(job.state);
        assert.ok(isWaiting, `the job ended as ${job.state}, not as ${state}: ${job.lastError}`);
        return job.state === state;
      });
      return job;
    },
    async [Symbol.asyncDispose]() {
      for (const sender of senders) await sender.stop();
      await installation.close();
      remove();
    },
  };
}

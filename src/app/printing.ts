// Wires the handlers of the paths that printers poll. Loaded with the first such request.

import { writeCloudPrntJob } from '../channels/printer/cloudprnt-job.ts';
import type { DrawJob } from '../channels/printer/draw-job.ts';
import { makeDrawOrGiveUp } from '../channels/printer/draw-or-give-up.ts';
import { writeEposXml } from '../channels/printer/epos-xml.ts';
import type { Log } from '../domain/log.ts';
import { makeJudgeAttempt } from '../domain/messages/judge-attempt.ts';
import { makePulledMessages } from '../domain/messages/pull-messages.ts';
import { MAX_WRONG, makeNetworkFloods } from '../domain/network-floods.ts';
import { makeOpenPollingPath } from '../domain/printers/open-polling-path.ts';
import { makePolledJobs, type WriteJob } from '../domain/printers/polled-jobs.ts';
import { PRINTER_CHANNEL } from '../domain/printers/print-job.ts';
import type { PrintingHandlers } from '../http/printing/area.ts';
import { makeCloudprntHandler } from '../http/printing/cloudprnt-handler.ts';
import { makeEpsonHandler } from '../http/printing/epson-handler.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { BackgroundWork } from './background-work.ts';
import type { Installation } from './installation.ts';

export interface PrintingParts {
  drawJob: DrawJob;
  backgroundWork: BackgroundWork;
  metrics: Pick<Metrics, 'observeAttempt'>;
  log: Log;
  pace: number;
}

export function makePrintingHandlers(installation: Installation, parts: PrintingParts): PrintingHandlers {
  const { clock, messages: queue, printers, printJobs } = installation;
  const { drawJob, backgroundWork, metrics, log, pace } = parts;
  const pulled = makePulledMessages({
    channel: PRINTER_CHANNEL,
    queue,
    judgeAttempt: makeJudgeAttempt({ random: Math.random, pace }),
    log,
    observe: metrics.observeAttempt,
  });
  const floods = makeNetworkFloods({
    clock,
    onFlood: (network) =>
      log.warn(
        { network, wrongPaths: MAX_WRONG },
        'flood of wrong paths of printers: refused until the minute is over',
      ),
  });
  const deps = {
    jobs: makePolledJobs({ pulled, printers, printJobs, writeJob: makeWriteJob(drawJob), clock }),
    openPollingPath: makeOpenPollingPath({ printers, floods, clock }),
    inBackground: backgroundWork.run,
  };
  return { cloudprnt: makeCloudprntHandler(deps), epson: makeEpsonHandler(deps) };
}

function makeWriteJob(drawJob: DrawJob): WriteJob {
  const draw = makeDrawOrGiveUp(drawJob);
  return async (printer, job) => {
    const drawn = await draw(printer, job);
    if ('outcome' in drawn) return drawn;
    const { picture } = drawn;
    return {
      bytes:
        printer.kind === 'epson'
          ? Buffer.from(writeEposXml(picture, printer, job.id))
          : writeCloudPrntJob(picture, printer),
    };
  };
}

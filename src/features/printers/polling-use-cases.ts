// Wires the handlers of the paths that printers poll. Loaded with the first such request.

import type { Installation } from '../../kernel/installation.ts';
import { makeJudgeAttempt } from '../../kernel/messages/judge-attempt.ts';
import { makePulledMessages } from '../../kernel/messages/pull-messages.ts';
import type { BackgroundWork } from '../../platform/jobs/background-work.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Count } from '../../platform/metrics/metric.ts';
import { MAX_WRONG, makeNetworkFloods } from '../../platform/network/network-floods.ts';
import { writeCloudPrntJob } from './channel/cloudprnt-job.ts';
import type { DrawJob } from './channel/draw-job.ts';
import { makeDrawOrGiveUp } from './channel/draw-or-give-up.ts';
import { writeEposXml } from './channel/epos-xml.ts';
import { makeOpenPollingPath } from './open-polling-path.ts';
import { makePolledJobs, type WriteJob } from './polled-jobs.ts';
import type { PrintingHandlers } from './polling/area.ts';
import { makeCloudprntHandler } from './polling/cloudprnt-handler.ts';
import { makeEpsonHandler } from './polling/epson-handler.ts';
import { PRINTER_CHANNEL } from './print-job.ts';
import { PRINT_TRIES } from './printer-metrics.ts';

export interface PrintingParts {
  drawJob: DrawJob;
  backgroundWork: BackgroundWork;
  count: Count;
  log: Log;
  pace: number;
}

export function makePrintingHandlers(installation: Installation, parts: PrintingParts): PrintingHandlers {
  const { clock, messages: queue, printers, printJobs } = installation;
  const { drawJob, backgroundWork, count, log, pace } = parts;
  const pulled = makePulledMessages({
    channel: PRINTER_CHANNEL,
    queue,
    judgeAttempt: makeJudgeAttempt({ random: Math.random, pace }),
    log,
    observe: (outcome) => count(PRINT_TRIES, { outcome }),
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

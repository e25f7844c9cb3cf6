// What a print job prints: the slip of a voucher, or a test page. The voucher is read when its slip is drawn.

import { createHash } from 'node:crypto';
import {
  type FindVoucherDeps,
  makeFindVoucher,
  WITHOUT_VOUCHER,
} from '../../../kernel/messages/find-voucher.ts';
import type { AttemptOutcome, Message } from '../../../kernel/messages/message.ts';
import type { ImageStore, SettingsStore } from '../../../kernel/settings/settings.ts';
import type { SiteStore } from '../../../kernel/sites/site.ts';
import { prepareSlips } from '../../../kernel/slips/prepare-slips.ts';
import type { SlipStore } from '../../../kernel/slips/slip.ts';
import { zoneOf } from '../../../kernel/vouchers/nights.ts';
import { GUEST_TEXTS } from '../../../kernel/vouchers/texts/guest-texts.ts';
import { type Bitmap, DOTS_PER_MM, ROLL_DOTS } from '../../../platform/drawing/bitmap.ts';
import type { DrawPicture } from '../../../platform/drawing/draw-in-thread.ts';
import type { ReceiptInput } from '../../../platform/drawing/print-task.ts';
import { FIRST_LANGUAGE } from '../../../platform/text/language.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import { UNKNOWN } from '../../../platform/values/unknown-value.ts';
import { readPrintJobFacts } from '../print-job.ts';
import { PRINTER_LAYOUTS, type Printer, ROLL_WIDTHS, type RollWidth } from '../printer.ts';
import { TEST_PAGE_TEXTS } from '../test-page-texts.ts';

type PrintedJob = Pick<Message, 'kind' | 'payload' | 'voucherId' | 'occurredAtMs'>;

/**
 * The slip as a picture; or the outcome, if the job cannot be printed, for example because its voucher has ended. The
 * picture of a job is always the same, unless the voucher or the settings of its site change. Fails if the picture
 * cannot be drawn.
 */
export type DrawJob = (
  printer: Printer,
  job: PrintedJob,
) => Promise<{ picture: Bitmap } | { outcome: AttemptOutcome }>;

export interface DrawJobDeps extends FindVoucherDeps {
  slips: Pick<SlipStore, 'find'>;
  images: Pick<ImageStore, 'find'>;
  sites: Pick<SiteStore, 'find'>;
  settings: Pick<SettingsStore, 'read'>;
  /** The time zone of the service. */
  timeZone: string;
  drawPicture: DrawPicture;
}

export function makeDrawJob(deps: DrawJobDeps): DrawJob {
  const { slips, images, sites, settings, timeZone, clock } = deps;
  const drawPicture = keepPictures(deps.drawPicture);
  const findVoucher = makeFindVoucher(deps);

  return async function drawJob(printer, job) {
    if (job.kind === 'test') return { picture: await drawTestPage(printer, job) };
    const voucher = job.voucherId === null ? 'ended' : await findVoucher(printer.siteId, job.voucherId);
    if (typeof voucher === 'string') return { outcome: WITHOUT_VOUCHER[voucher] };
    const sources = { findSlip: slips.find, findImage: images.find, timeZone, nowMs: clock.nowMs() };
    const prepared = await prepareSlips([voucher], { ...sources, settings: await settings.read() });
    const [slip] = prepared.slips;
    if (!slip) throw new Error('a voucher has no slip');
    const { copy } = GUEST_TEXTS[slip.language].onPaper;
    const mark = readPrintJobFacts(job.payload)?.isCopy ? copy : undefined;
    const receipt = { slip, mark, paper: paperOf(printer), layout: layoutOf(printer) };
    return { picture: await drawPicture({ receipt, logos: prepared.logos }) };
  };

  async function drawTestPage(printer: Printer, { occurredAtMs }: PrintedJob): Promise<Bitmap> {
    const language = (await settings.read()).language ?? FIRST_LANGUAGE;
    const site = await sites.find(printer.siteId);
    const said = TEST_PAGE_TEXTS[language];
    const paper = paperOf(printer);
    const dots = ROLL_DOTS[paper];
    const time = sayTime(occurredAtMs, { language, timeZone: zoneOf(site?.timeZone ?? null, timeZone) });
    const testPage = {
      ...{ paper, language, printer: printer.name, site: printer.siteName },
      title: said.title,
      facts: [said.roll(paper, dots), said.ordered(time)],
      rulerHint: said.ruler(dots / DOTS_PER_MM),
      qr: said.title,
    };
    return drawPicture({ testPage, logos: new Map() });
  }
}

/** A width that only a newer release knows is printed as the first. So is an unknown layout. */
function paperOf({ paper }: Printer): RollWidth {
  return paper === UNKNOWN ? ROLL_WIDTHS[0] : paper;
}

function layoutOf({ layout }: Printer) {
  return layout === UNKNOWN ? PRINTER_LAYOUTS[0] : layout;
}

const MAX_KEPT = 10;

/** A printer that asks for its jobs may fetch the same picture several times. */
function keepPictures(draw: DrawPicture): DrawPicture {
  const kept = new Map<string, Bitmap>();
  return async (input) => {
    const key = keyOf(input);
    const picture = kept.get(key) ?? (await draw(input));
    kept.delete(key);
    kept.set(key, picture);
    const [oldest] = kept.keys();
    if (oldest !== undefined && kept.size > MAX_KEPT) kept.delete(oldest);
    return picture;
  };
}

function keyOf(input: ReceiptInput): string {
  const facts = JSON.stringify({ ...input, logos: [...input.logos] });
  return createHash('sha256').update(facts).digest('base64');
}

// What receipt printers add to the pages of vouchers and batches: the choice of the printer, buttons that print at
// once, and what became of print jobs.

import { asSiteId } from '../../../kernel/ids.ts';
import { message } from '../../../kernel/pages/message.ts';
import { withFrom } from '../../../kernel/vouchers/pages/list-link.ts';
import type { PrintWay, VoucherSlots } from '../../../kernel/vouchers/pages/voucher-slots.ts';
import { PRINT_JOB_TEXTS } from '../printer-texts.ts';
import { wouldBeCopy } from './job-state.ts';
import { jobsOfBatch, printBatchButton, printingOf } from './jobs-of-batch.ts';
import { jobCard, newestJob, newestJobsOf } from './jobs-of-voucher.ts';
import { printButton } from './print-button.ts';
import { placeField, printersAttribute, readOrderedPrint, rememberPrintField } from './print-field.ts';
import { placesFor, printerChips, printerForm } from './print-page.ts';
import { PAPER, type PrintPlaces, printPlacesAt, printPlacesOf } from './print-places.ts';
import { printForms, printItems, printMarks } from './prints-of-list.ts';

export const printerVoucherSlots: VoucherSlots = {
  async formFields(context, { sites }) {
    const siteIds = sites.map(({ id }) => id);
    const placesAt = await printPlacesAt(context, siteIds);
    const hasPrinters = siteIds.some((id) => placesAt(id).printers.length > 0);
    return {
      siteAttributes: ({ id }) => printersAttribute(context, placesAt(id)),
      printOn: ({ id }) => hasPrinters && placeField(context, placesAt(id)),
    };
  },

  async readForm(context, sites) {
    const placesAt = await printPlacesAt(
      context,
      sites.map(({ id }) => id),
    );
    rememberPrintField(context, placesAt);
    const order = readOrderedPrint(context, placesAt(asSiteId(Number(context.form.get('site')))));
    return { order, isPrinted: order.print !== undefined };
  },

  async problemMarks(context, ids) {
    return printMarks(context, await context.app.printJobs.newestOf(ids));
  },

  async ofList(context, vouchers) {
    const placesAt = await printPlacesAt(context, [...new Set(vouchers.map(({ siteId }) => siteId))]);
    const newest = await context.app.printJobs.newestOf(vouchers.map(({ id }) => id));
    return {
      forms: printForms(context, vouchers, placesAt),
      marks: printMarks(context, newest),
      printItems: (voucher, printPage) => printItems(context, voucher, { placesAt, newest, printPage }),
    };
  },

  async ofVoucher(context, { id, siteId }) {
    const places = await printPlacesOf(context, siteId);
    const jobs = await newestJobsOf(context, id);
    const [job] = jobs;
    const next = withFrom(context, `/vouchers/${id}`);
    const printPage = withFrom(context, `/vouchers/print?voucher=${id}`);
    const isCopy = wouldBeCopy(job);
    const printed = { vouchers: { voucher: id }, printPage, next, isCopy };
    return {
      line: newestJob(context, job, { ...places, next }),
      print: wayAt(places, isCopy, (isPrimary) => printButton(context, places, { ...printed, isPrimary })),
      card: jobCard(context, jobs, places),
    };
  },

  async ofBatch(context, batch) {
    const printing = await printingOf(context, batch);
    const { places, newest } = printing;
    const [first] = batch.vouchers;
    const job = first && newest.get(first.id);
    return {
      line:
        batch.wanted === 1
          ? newestJob(context, job, { ...places, next: context.path })
          : jobsOfBatch(context, batch, printing),
      print: wayAt(places, wouldBeCopy(job), (isPrimary) =>
        printBatchButton(context, batch, { ...printing, isPrimary }),
      ),
      marks: printMarks(context, newest),
      printFields: places.chosen && places.chosen !== PAPER ? { printer: String(places.chosen.id) } : {},
    };
  },

  async printPage(context, vouchers) {
    const places = await placesFor(context, vouchers);
    const { chosen = PAPER, isDivided } = places;
    return {
      chips: printerChips(context, places),
      note: isDivided && message('info', PRINT_JOB_TEXTS[context.language].oneSite),
      content: chosen === PAPER ? undefined : (shown) => printerForm(context, chosen, { ...shown, vouchers }),
    };
  },
};

/** Undefined at a site without printers. */
function wayAt({ printers, chosen }: PrintPlaces, isCopy: boolean, button: PrintWay['button']) {
  return printers.length > 0 ? { isPrimary: chosen !== PAPER && !isCopy, button } : undefined;
}

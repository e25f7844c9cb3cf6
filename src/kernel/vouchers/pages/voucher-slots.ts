// What features add to the pages of vouchers and batches: ways to hand a voucher over, such as by e-mail, facts and QR
// codes. For each page there is one function, which reads what the page needs once, also for a whole list.

import type { Html } from '../../../platform/pages/ui/html.ts';
import type { IconName } from '../../../platform/pages/ui/icons.ts';
import type { Batch } from '../../batches/batch.ts';
import type { VoucherId } from '../../ids.ts';
import type { AuthenticatedContext, PageContext } from '../../pages/context.ts';
import type { FieldIssues } from '../../pages/message.ts';
import type { Site } from '../../sites/site.ts';
import type { SiteSlip, SlipVoucher } from '../../slips/slip.ts';
import type { VoucherOrder } from '../voucher-order.ts';
import type { FoundVoucher } from '../voucher-search.ts';

declare module '../../pages/context.ts' {
  interface PageSlots {
    vouchers?: VoucherSlots;
  }
}

type Shown = Html | false | undefined;

export interface VoucherSlots {
  /** The line above the form for new vouchers. */
  homeNote?(context: AuthenticatedContext, sites: Site[]): Promise<Html | false>;
  formFields?(context: PageContext, shown: { sites: Site[]; issues: FieldIssues }): Promise<FormFields>;
  readForm?(context: PageContext, sites: Site[]): Promise<FormReading>;
  /** Fields for the query of the form: those of an order that is changed, otherwise what is typed. */
  keptInQuery?(context: PageContext, order?: VoucherOrder): Record<string, string>;
  /** Marks vouchers that the user has to look at. */
  problemMarks?(context: PageContext, ids: VoucherId[]): Promise<Marks>;
  ofList?(context: AuthenticatedContext, vouchers: FoundVoucher[]): Promise<ListPart>;
  ofVoucher?(context: AuthenticatedContext, voucher: FoundVoucher): Promise<VoucherPart>;
  ofBatch?(context: AuthenticatedContext, batch: Batch): Promise<BatchPart>;
  /** Vouchers to hand out instead of those that the controller did not create. */
  offer?(context: AuthenticatedContext, batch: Batch): Promise<Offer | undefined>;
  qr?(context: AuthenticatedContext, shown: ShownVoucher): Promise<QrPart | undefined>;
  /** Pairs of a label and a value, for the page of a voucher. */
  facts?(context: AuthenticatedContext, voucher: FoundVoucher): Promise<[string, Html][]>;
  printPage?(context: AuthenticatedContext, vouchers: SlipVoucher[]): Promise<PrintPart>;
}

export interface FormFields {
  /** For the option of a site, so that `enhance.js` changes fields with the site. */
  siteAttributes?(site: Site): Shown;
  /** Beside the choice whether vouchers are printed at once. */
  printOn?(site: Site): Shown;
  /** Further fields, which can be folded. */
  extras?: Shown;
}

export interface FormReading {
  order: Partial<VoucherOrder>;
  issues?: Record<string, string>;
  /** True if the order has the vouchers printed. Otherwise the print page opens, if they are to be printed at once. */
  isPrinted?: boolean;
  /** Notes on the device what was chosen, once the order is valid. */
  remember?(): void;
}

/** Marks beside the state of vouchers. */
export interface Marks {
  icon: IconName;
  of(id: VoucherId): Shown;
}

/** Takes the place of the link to the print page. */
export interface PrintWay {
  /** True if printing is the most likely next step. */
  isPrimary: boolean;
  button(isPrimary: boolean): Html;
}

export interface ListPart {
  /** A link beside the heading. */
  link?: Shown;
  /** Forms that buttons of the row menus belong to. */
  forms?: Html[];
  marks: Marks;
  menuItem?(voucher: FoundVoucher, link: (url: string) => string): Shown;
  /** Takes the place of the link to the print page in the row menu. */
  printItems?(voucher: FoundVoucher, printPage: string): Html | undefined;
}

export interface VoucherPart {
  /** What became of the voucher, below its code. */
  line?: Shown;
  print?: PrintWay | undefined;
  button?: Shown;
  card?: Shown;
}

export interface BatchPart {
  /** What became of the vouchers. */
  line?: Shown;
  print?: PrintWay | undefined;
  /** A button for a single voucher. */
  button?: Shown;
  marks?: Marks;
  /** Fields that print another voucher at once in the same way. */
  printFields?: Record<string, string>;
}

export interface Offer {
  note: Html;
  /** What the guest gets. */
  gets: string;
  button: Html;
}

export interface ShownVoucher {
  voucher: { id: VoucherId; code: string };
  slip: SiteSlip;
  site: Site;
}

/** A further QR code of a voucher. */
export interface QrPart {
  /** Its value of `qr` in the query. */
  name: string;
  label: string;
  /** Undefined if there is no such code yet. */
  panel?: (() => Html) | undefined;
  /** Makes the code. */
  button?: Shown;
  note?: Shown;
}

export interface PrintPart {
  /** Places to print at, besides the papers. */
  chips: Shown;
  note: Shown;
  /** Set if one of these places is chosen. */
  content?: ((shown: PrintShown) => Promise<Html>) | undefined;
}

export interface PrintShown {
  /** The chips of all places. */
  chips: Html;
  /** The fields that name the vouchers. */
  fields: [string, string][];
  /** The page that opens afterwards. */
  next: string;
  back: Html;
}

export function voucherSlots({ slots }: PageContext): VoucherSlots[] {
  return slots.flatMap(({ vouchers }) => vouchers ?? []);
}

/** Asks one feature after the other, so that a page does not use several connections of the database. */
export async function fromSlots<Part>(
  context: PageContext,
  read: (slots: VoucherSlots) => Promise<Part | undefined> | undefined,
): Promise<Part[]> {
  const parts: Part[] = [];
  for (const slots of voucherSlots(context)) {
    const part = await read(slots);
    if (part !== undefined) parts.push(part);
  }
  return parts;
}

export async function findOffer(context: AuthenticatedContext, batch: Batch): Promise<Offer | undefined> {
  const [first] = await fromSlots(context, (slots) => slots.offer?.(context, batch));
  return first;
}

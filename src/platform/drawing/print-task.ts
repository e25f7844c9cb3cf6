// What the thread that prints is asked for.

import type { Receipt } from '../../features/printers/drawing/receipt-layout.ts';
import type { TestPage } from '../../features/printers/drawing/test-page-layout.ts';
import type { CodePicture, CodePictureForm } from '../../features/screens/drawing/code-picture.ts';
import type { PrintInput } from '../../kernel/slips/printed-slip.ts';
import type { Bitmap } from './bitmap.ts';

/** A PDF is written at once. Pictures are ordered by messages. */
export type PrintTask = { pdf: PrintInput } | 'pictures';

export type PictureOrder = ReceiptInput | CodePictureOrder;

export type ReceiptInput = Pick<PrintInput, 'logos'> & ({ receipt: Receipt } | { testPage: TestPage });

export interface CodePictureOrder {
  codePicture: CodePicture;
  form: CodePictureForm;
}

/** The thread returns the dots of a receipt. Of a rolling code it returns the whole file. */
export type DrawnPicture<Order extends PictureOrder> = Order extends CodePictureOrder ? Uint8Array : Bitmap;

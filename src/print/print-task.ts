// What the thread that prints is asked for.

import type { CodePicture } from './code-picture.ts';
import type { PrintInput } from './printed-slip.ts';
import type { Receipt } from './receipt-layout.ts';
import type { TestPage } from './test-page-layout.ts';

/** A PDF is written at once. Receipts are ordered by messages. */
export type PrintTask = { pdf: PrintInput } | 'receipts';

export type ReceiptInput = Pick<PrintInput, 'logos'> &
  ({ receipt: Receipt } | { testPage: TestPage } | { codePicture: CodePicture });

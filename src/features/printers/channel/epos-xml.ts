// Writes a picture as the answer to an Epson printer that asks for a job (Server Direct Print): ePOS-Print XML.

import type { MessageId } from '../../../kernel/ids.ts';
import type { Bitmap } from '../../../platform/drawing/bitmap.ts';
import type { Printer } from '../printer.ts';

const NAMESPACE = 'http://www.epson-pos.com/schemas/2011/03/epos-print';
/** How long the service of the printer waits for its own printing unit. */
const TIMEOUT_MS = 10_000;
/** `type="feed"` feeds the paper to the cutter before it cuts. */
const CUT = '<cut type="feed"/>';
const FEED = '<feed line="6"/>';

/** The printer names the id in its report. Version 2.00 is the first version with an id. */
export function writeEposXml(
  picture: Bitmap,
  { copies, hasCutter }: Pick<Printer, 'copies' | 'hasCutter'>,
  jobId: MessageId,
): string {
  const copy = `${imageOf(picture)}${hasCutter ? CUT : FEED}`;
  return `<?xml version="1.0" encoding="utf-8"?>
<PrintRequestInfo Version="2.00"><ePOSPrint>
<Parameter><devid>local_printer</devid><timeout>${TIMEOUT_MS}</timeout><printjobid>${jobId}</printjobid></Parameter>
<PrintData><epos-print xmlns="${NAMESPACE}">${copy.repeat(copies)}</epos-print></PrintData>
</ePOSPrint></PrintRequestInfo>
`;
}

function imageOf({ width, height, bits }: Bitmap): string {
  const raster = Buffer.from(bits).toString('base64');
  return `<image width="${width}" height="${height}" color="color_1" mode="mono">${raster}</image>`;
}

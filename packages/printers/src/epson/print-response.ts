// What the printer reports about its jobs: the ResponseFile of SetResponse.

import { encodeText } from './xml.ts';

const NAMESPACE = 'http://www.epson-pos.com/schemas/2011/03/epos-print';
/** Bits of `status`. */
export const STATUS = { printed: 0x2, offline: 0x8, coverOpen: 0x20, nearEnd: 0x2_0000, paperEnd: 0x8_0000 };

export interface JobResult {
  devid: string;
  printjobid: string;
  isPrinted: boolean;
  /** Empty if printed. */
  code: string;
  status: number;
}

/** The answers have the version of the request. */
export function writeResponse(version: string, results: JobResult[]): string {
  const isNew = version === '3.00';
  return document(
    version,
    (isNew ? '<ServerDirectPrint><Response Success="true"/></ServerDirectPrint>' : '') +
      results.map((result) => writeResult(result, version !== '1.00')).join(''),
  );
}

/** The server's document could not be read at all. */
export function writeRefusal(detail: string): string {
  const reason = `<ErrorSummary>Invalid XML format</ErrorSummary><ErrorDetail>${encodeText(detail)}</ErrorDetail>`;
  return document(
    '3.00',
    `<ServerDirectPrint><Response Success="false">${reason}</Response></ServerDirectPrint>`,
  );
}

function document(version: string, content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<PrintResponseInfo Version="${version}">${content}</PrintResponseInfo>`;
}

function writeResult({ devid, printjobid, isPrinted, code, status }: JobResult, hasId: boolean): string {
  const id = hasId ? `<printjobid>${encodeText(printjobid)}</printjobid>` : '';
  return `<ePOSPrint><Parameter><devid>${encodeText(devid)}</devid>${id}</Parameter><PrintResponse><response \
xmlns="${NAMESPACE}" success="${isPrinted}" code="${code}" status="${status}" battery="0"/></PrintResponse></ePOSPrint>`;
}

// What the package `simulated-receipt-printers` exports.

export { type Bitmap, PAPERS, type Paper } from './bitmap.ts';
export { type CloudPrntOptions, startCloudPrntPrinter } from './cloudprnt/printer.ts';
export { type EpsonOptions, startEpsonPrinter } from './epson/printer.ts';
export { type EscPosOptions, type EscPosPrinter, startEscPosPrinter } from './escpos/printer.ts';
export { FAULT_KINDS, type FaultName, type Faults, KINDS, type PrinterKind, parseFault } from './faults.ts';
export type { Ending, PrinterOptions, SimulatedPrinter, Slip } from './mechanism.ts';
export { decodePng } from './png/decode.ts';
export { encodePng } from './png/encode.ts';
export type { PollingOptions, PollingPrinter } from './polling/polling-printer.ts';

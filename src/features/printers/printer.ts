// A receipt printer of a site, and the store for printers.

import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import type { PrinterId, SiteId } from '../../kernel/ids.ts';
import type { Token } from '../../platform/secrets/token.ts';
import type { OrUnknown } from '../../platform/values/unknown-value.ts';

/** `escpos`: the service connects to the printer. The others ask the service for jobs. */
export const PRINTER_KINDS = ['escpos', 'cloudprnt', 'epson'] as const;
export type PrinterKind = (typeof PRINTER_KINDS)[number];
export type PollingKind = Exclude<PrinterKind, 'escpos'>;

/** `compact`: without logo, steps and text. `code`: only what a guest needs to type the code. */
export const PRINTER_LAYOUTS = ['full', 'compact', 'code'] as const;
export type PrinterLayout = (typeof PRINTER_LAYOUTS)[number];

/** The width of the roll in millimetres. */
export const ROLL_WIDTHS = [80, 58] as const;
export type RollWidth = (typeof ROLL_WIDTHS)[number];

export const DEFAULT_PORT = 9100;
export const MAX_PRINTER_NAME_LENGTH = 60;
export const MAX_COPIES = 5;
export const DEFAULT_JOB_MINUTES = 10;
export const MAX_JOB_MINUTES = 24 * 60;
export const POLLING_PATH = '/print';

/** What an administrator can change later. */
export interface PrinterSettings {
  name: string;
  /** `host` or `host:port`; null if the printer asks for its jobs. */
  address: string | null;
  paper: OrUnknown<RollWidth>;
  layout: OrUnknown<PrinterLayout>;
  copies: number;
  hasCutter: boolean;
  /** A job that was not printed within this time expires. */
  jobMinutes: number;
}

export interface NewPrinter extends PrinterSettings {
  siteId: SiteId;
  kind: PrinterKind;
  paper: RollWidth;
  layout: PrinterLayout;
}

/** `fault`: another fault that the printer reports. `silent`: it does not answer. */
export const PRINTER_STATES = ['ready', 'paper-out', 'cover-open', 'fault', 'silent'] as const;
export type PrinterState = (typeof PRINTER_STATES)[number];

/** The state of a printer as it was last seen. */
export interface PrinterStatus {
  state: PrinterState;
  /** What the printer or the network said about a state other than `ready`. A text of unknown origin. */
  words: string | null;
  atMs: number;
}

export interface Printer extends PrinterSettings {
  id: PrinterId;
  siteId: SiteId;
  siteName: string;
  kind: OrUnknown<PrinterKind>;
  /** Null before the first contact. `atMs` is the time since which the printer has been in this state. */
  status: (Omit<PrinterStatus, 'state'> & { state: OrUnknown<PrinterState> }) | null;
  /** The time of the last contact; null before the first. */
  seenAtMs: number | null;
}

export interface PrinterStore {
  /** In the order of the names of sites and printers. Without `siteIds`, those of all sites. */
  list(siteIds?: SiteId[]): Promise<Printer[]>;
  find(id: PrinterId): Promise<Printer | undefined>;
  findByToken(tokenHash: string): Promise<Printer | undefined>;
  /** The hashes of all tokens. */
  listTokenHashes(): Promise<Set<string>>;
  /** The token of the path that a printer polls. Undefined if it has none, or if it cannot be opened. */
  findToken(id: PrinterId): Promise<string | undefined>;
  /** A printer that polls has a token. */
  add(printer: NewPrinter, token: Token | null, audit: AuditContext): Promise<PrinterId>;
  /** False if there is no such printer. */
  update(id: PrinterId, settings: Partial<PrinterSettings>, audit: AuditContext): Promise<boolean>;
  /** Replaces the token, so that the path given out before no longer works. False if the printer has none. */
  renewToken(id: PrinterId, token: Token, audit: AuditContext): Promise<boolean>;
  /** Also cancels its jobs that are not printed yet. False if there is no such printer. */
  remove(id: PrinterId, audit: AuditContext): Promise<boolean>;
  /** Without contact, in the state `silent`, `seenAtMs` does not change. */
  noteStatus(id: PrinterId, status: PrinterStatus): Promise<void>;
}

/** Whether the printer asks the service for jobs. */
export function isPolling({ kind }: Pick<Printer, 'kind'>): boolean {
  return kind === 'cloudprnt' || kind === 'epson';
}

/** The path that a printer polls. It is a secret. */
export function pollingPath(kind: PollingKind, token: string): string {
  return `${POLLING_PATH}/${kind}/${token}`;
}

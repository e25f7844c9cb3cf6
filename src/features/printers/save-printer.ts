// Adds a printer or changes its settings, after checking every value that was typed. Contacts no printer.

import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import type { PrinterId, SiteId } from '../../kernel/ids.ts';
import type { SiteStore } from '../../kernel/sites/site.ts';
import { parseIp } from '../../platform/network/ip.ts';
import { makePathToken } from '../../platform/secrets/token.ts';
import { hasInvisible } from '../../platform/text/invisible.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import {
  DEFAULT_JOB_MINUTES,
  isPolling,
  MAX_COPIES,
  MAX_JOB_MINUTES,
  MAX_PRINTER_NAME_LENGTH,
  type NewPrinter,
  PRINTER_KINDS,
  PRINTER_LAYOUTS,
  type Printer,
  type PrinterKind,
  type PrinterSettings,
  type PrinterStore,
  pollingPath,
  ROLL_WIDTHS,
} from './printer.ts';
import { readPrinterAddress, toAddressText } from './printer-address.ts';

/** The settings as they were typed. Absent ones get their default, or stay as they are. */
export interface TypedSettings {
  name?: string | undefined;
  address?: string | undefined;
  paper?: string | undefined;
  layout?: string | undefined;
  copies?: string | undefined;
  hasCutter?: boolean | undefined;
  jobMinutes?: string | undefined;
}

export interface TypedPrinter extends TypedSettings {
  siteId: SiteId;
  kind: string;
}

/** The values that cannot be used, each with the reason. */
export interface PrinterIssues {
  site?: 'not-found';
  kind?: 'not-known';
  name?: 'missing' | 'too-long' | 'not-plain';
  /** `not-used`: printers of this kind have no address. `forbidden`: WEBHOOK_TARGETS refuses it. */
  address?: 'missing' | 'wrong' | 'not-used' | 'forbidden';
  paper?: 'not-known';
  layout?: 'not-known';
  copies?: 'out-of-range';
  jobMinutes?: 'out-of-range';
}

/** `path`: the path that the printer polls; null if it does not poll. */
export type AddPrinter = (
  typed: TypedPrinter,
  by: AuditContext,
) => Promise<Result<{ id: PrinterId; path: string | null }, PrinterIssues>>;

export type ChangePrinter = (
  printer: Printer,
  typed: TypedSettings,
  by: AuditContext,
) => Promise<Result<undefined, PrinterIssues>>;

interface Deps {
  printers: Pick<PrinterStore, 'add' | 'update'>;
  sites: Pick<SiteStore, 'find'>;
  /** Why the service must not connect to this IP address; undefined if it may. */
  findIpIssue: (ip: string) => string | undefined;
}

const DEFAULTS = {
  name: '',
  address: null,
  paper: ROLL_WIDTHS[0],
  layout: PRINTER_LAYOUTS[0],
  copies: 1,
  hasCutter: true,
  jobMinutes: DEFAULT_JOB_MINUTES,
} satisfies PrinterSettings;

export function makeAddPrinter({ printers, sites, findIpIssue }: Deps): AddPrinter {
  return async function addPrinter({ siteId, kind: typedKind, ...typed }, by) {
    const kind = PRINTER_KINDS.find((known) => known === typedKind);
    const { settings, issues } = readSettings(
      { ...typed, name: typed.name ?? '' },
      { ...DEFAULTS, kind },
      findIpIssue,
    );
    if (kind === undefined) issues.kind = 'not-known';
    if (!(await sites.find(siteId))) issues.site = 'not-found';
    if (kind === undefined || Object.keys(issues).length > 0) return fail(issues);
    return ok(await store({ ...DEFAULTS, ...settings, siteId, kind }));

    async function store(printer: NewPrinter) {
      const token = printer.kind === 'escpos' ? null : makePathToken();
      const id = await printers.add(printer, token, by);
      const path = printer.kind !== 'escpos' && token ? pollingPath(printer.kind, token.token) : null;
      return { id, path };
    }
  };
}

export function makeChangePrinter({
  printers,
  findIpIssue,
}: Pick<Deps, 'printers' | 'findIpIssue'>): ChangePrinter {
  return async function changePrinter(printer, typed, by) {
    const kind = PRINTER_KINDS.find((known) => known === printer.kind);
    const { settings, issues } = readSettings(typed, { ...printer, kind }, findIpIssue);
    if (Object.keys(issues).length > 0) return fail(issues);
    if (Object.keys(settings).length > 0) await printers.update(printer.id, settings, by);
    return ok(undefined);
  };
}

type Before = PrinterSettings & { kind: PrinterKind | undefined };
type KnownSettings = PrinterSettings & Pick<NewPrinter, 'paper' | 'layout'>;

/** The settings that differ from those before, and the issues of the others. */
function readSettings(typed: TypedSettings, before: Before, findIpIssue: Deps['findIpIssue']) {
  const settings: Partial<KnownSettings> = {};
  const issues: PrinterIssues = {};
  const { hasCutter } = typed;
  if (typed.name !== undefined) readName(typed.name);
  if (before.kind !== undefined) readAddress(typed.address?.trim(), before.kind);
  if (typed.paper) {
    const paper = ROLL_WIDTHS.find((width) => String(width) === typed.paper);
    if (paper === undefined) issues.paper = 'not-known';
    else if (paper !== before.paper) settings.paper = paper;
  }
  if (typed.layout) {
    const layout = PRINTER_LAYOUTS.find((known) => known === typed.layout);
    if (layout === undefined) issues.layout = 'not-known';
    else if (layout !== before.layout) settings.layout = layout;
  }
  readCount('copies', MAX_COPIES);
  readCount('jobMinutes', MAX_JOB_MINUTES);
  if (hasCutter !== undefined && hasCutter !== before.hasCutter) settings.hasCutter = hasCutter;
  return { settings, issues };

  function readName(text: string) {
    const name = text.trim();
    if (name === '') issues.name = 'missing';
    else if (hasInvisible(name)) issues.name = 'not-plain';
    else if ([...name].length > MAX_PRINTER_NAME_LENGTH) issues.name = 'too-long';
    else if (name !== before.name) settings.name = name;
  }

  function readAddress(text: string | undefined, kind: PrinterKind) {
    if (isPolling({ kind })) {
      if (text) issues.address = 'not-used';
      return;
    }
    if (text === undefined && before.address !== null) return;
    const address = text ? readPrinterAddress(text) : undefined;
    if (!text) issues.address = 'missing';
    else if (!address) issues.address = 'wrong';
    else if (isForbidden(address.host)) issues.address = 'forbidden';
    else if (toAddressText(address) !== before.address) settings.address = toAddressText(address);
  }

  /** The addresses of a name are checked when the service connects. */
  function isForbidden(host: string): boolean {
    return parseIp(host) !== undefined && findIpIssue(host) !== undefined;
  }

  function readCount(field: 'copies' | 'jobMinutes', max: number) {
    const text = typed[field]?.trim();
    if (text === undefined) return;
    const count = /^\d{1,5}$/.test(text) ? Number(text) : 0;
    if (count < 1 || count > max) issues[field] = 'out-of-range';
    else if (count !== before[field]) settings[field] = count;
  }
}

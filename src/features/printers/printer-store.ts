// The store for printers. Each method that writes is one transaction.

import { printerDetails } from '../../kernel/audit/audit-details.ts';
import { insertAuditEntry } from '../../kernel/audit/audit-queries.ts';
import { selectSiteName } from '../../kernel/sites/site-queries.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import { cancelQueuedJobs } from './print-job-queries.ts';
import type { PrinterSettings, PrinterStore } from './printer.ts';
import {
  deletePrinter,
  holdPrinter,
  insertPrinter,
  selectPrinter,
  selectPrinterByToken,
  selectPrinters,
  selectToken,
  selectTokenHashes,
  updatePrinter,
  updateStatus,
  updateToken,
} from './printer-queries.ts';

const SETTINGS = ['name', 'address', 'paper', 'layout', 'copies', 'hasCutter', 'jobMinutes'] as const;

export function makePrinterStore({ read, write, now }: Database, seal: Seal): PrinterStore {
  return {
    list: (siteIds) => selectPrinters(read, siteIds),
    find: (id) => selectPrinter(read, id),
    findByToken: (tokenHash) => selectPrinterByToken(read, tokenHash),
    listTokenHashes: () => selectTokenHashes(read),
    findToken: (id) => selectToken(read, seal, id),
    add: (printer, token, audit) =>
      write(async (transaction) => {
        const { siteId, name, kind, address } = printer;
        const id = await insertPrinter(transaction, seal, { ...printer, token, createdAtMs: audit.atMs });
        const siteName = await selectSiteName(transaction, siteId);
        const details = {
          ...printerDetails({ id, name, siteId, siteName }),
          changes: { kind, ...(address !== null && { address }) },
        };
        await insertAuditEntry(transaction, { ...audit, action: 'printer.added', details });
        return id;
      }),
    update: (id, settings, audit) =>
      write(async (transaction) => {
        const before = await holdPrinter(transaction, id);
        if (!before) return false;
        const after = { ...before, ...settings };
        await updatePrinter(transaction, after);
        const fields = changedSettings(before, after);
        const details = { ...printerDetails(after), fields };
        if (fields.length > 0)
          await insertAuditEntry(transaction, { ...audit, action: 'printer.changed', details });
        return true;
      }),
    renewToken: (id, token, audit) =>
      write(async (transaction) => {
        if (!(await updateToken(transaction, seal, id, token))) return false;
        const printer = await selectPrinter(transaction, id);
        if (printer)
          await insertAuditEntry(transaction, {
            ...audit,
            action: 'printer.path-renewed',
            details: printerDetails(printer),
          });
        return true;
      }),
    remove: (id, audit) =>
      write(async (transaction) => {
        const printer = await selectPrinter(transaction, id);
        if (!printer) return false;
        await deletePrinter(transaction, id);
        await cancelQueuedJobs(transaction, id, now());
        const details = printerDetails(printer);
        await insertAuditEntry(transaction, { ...audit, action: 'printer.removed', details });
        return true;
      }),
    noteStatus: (id, status) => write((transaction) => updateStatus(transaction, id, status)),
  };
}

function changedSettings(before: PrinterSettings, after: PrinterSettings): string[] {
  return SETTINGS.filter((name) => before[name] !== after[name]);
}

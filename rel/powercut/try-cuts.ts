// Builds the files that a disk can hold after a power cut, and opens them: the database must be intact, with every
// voucher that a client got, and with a record or an intent of every voucher that the console was asked for.

import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { findFastFolder } from '../../tests/support/fast-folder.ts';
import { makeFolder, startGastpass } from '../../tests/support/run-gastpass.ts';
import { orderVoucher } from '../ordering.ts';
import { makeWorld, type World } from '../sim/world.ts';
import { makeDiskModel } from './disk-model.ts';
import type { DiskRecord } from './read-recording.ts';
import type { Recording } from './record-orders.ts';

/** A service is started on the files of one in so many cuts. */
const RESTARTED_EVERY = 100;
/** How many records after a restart of the log are dangerous moments: their writes overwrite old frames of the log. */
const AFTER_RESTART = 40;
const FILE = 'gastpass.sqlite';

interface Cut {
  number: number;
  /** The cut comes just before the record with this index. */
  index: number;
  world: World;
}

export interface CutsReport {
  /** Cuts while pages were copied from the log to the database, and cuts soon after a restart of the log. */
  inCheckpoints: number;
  afterRestarts: number;
  services: number;
  /** One line for each cut with faults. */
  faults: string[];
}

export async function tryCuts(
  recording: Recording,
  { cuts: count, seed }: { cuts: number; seed: number },
): Promise<CutsReport> {
  const { records, installation } = recording;
  const { folder, remove } = makeFolder(findFastFolder());
  const disk = makeDiskModel(records, readFileSync(join(installation, FILE)));
  const places = findPlaces(records);
  const report: CutsReport = { inCheckpoints: 0, afterRestarts: 0, services: 0, faults: [] };
  const cuts = Array.from({ length: count }, (_, number) => chooseCut(number, places, seed));
  for (const { number, index, world } of cuts.toSorted((one, other) => one.index - other.index)) {
    disk.advanceTo(index);
    const files = disk.cut(world);
    placeFiles(folder, installation, files);
    const faults = findLosses(join(folder, FILE), recording, records[index]?.atNs ?? Infinity);
    if (number % RESTARTED_EVERY === 0 && faults.length === 0) {
      placeFiles(folder, installation, files);
      faults.push(...(await restart(folder, recording)));
      report.services++;
    }
    if (faults.length > 0)
      report.faults.push(
        `cut ${number} before record ${index}: ${faults[0]}; ${faults.length} faults in all`,
      );
    if (places.checkpoints.includes(index)) report.inCheckpoints++;
    if (places.restarts.includes(index)) report.afterRestarts++;
  }
  remove();
  return report;
}

/** The moments at which a cut is most dangerous. */
function findPlaces(records: DiskRecord[]) {
  const all = [...records.keys()];
  const isWrite = (index: number, file: string) =>
    records[index]?.kind === 'write' && records[index].file === file;
  const checkpoints = all.filter((index) => isWrite(index, 'database'));
  const begins = all.filter((index) => isWrite(index, 'log') && records[index]?.offset === 0);
  // The first write at offset 0 comes from the start of the service.
  const restarts = begins.slice(1).flatMap((index) => all.slice(index, index + AFTER_RESTART));
  if (checkpoints.length === 0 || restarts.length === 0)
    throw new Error('the recording has no checkpoint or no restart of the log');
  const syncs = all.filter((index) => records[index]?.kind === 'sync-end' && records[index].file === 'log');
  return { all, checkpoints, restarts, syncs };
}

/**
 * A quarter of the cuts comes at any moment, a quarter in a checkpoint, a quarter soon after a restart of the log, and
 * a quarter just before the end of a sync.
 */
function chooseCut(number: number, places: ReturnType<typeof findPlaces>, seed: number): Cut {
  const world = makeWorld(seed * 1_000_003 + number);
  const { all, checkpoints, restarts, syncs } = places;
  const among = [all, checkpoints, restarts, syncs][world.between(0, 3)] ?? all;
  return { number, index: among[world.between(0, among.length - 1)] ?? 0, world };
}

function placeFiles(
  folder: string,
  installation: string,
  { database, log }: { database: Buffer; log: Buffer | undefined },
): void {
  rmSync(folder, { recursive: true });
  cpSync(installation, folder, { recursive: true });
  writeFileSync(join(folder, FILE), database);
  if (log) writeFileSync(join(folder, `${FILE}-wal`), log);
}

function findLosses(file: string, { acknowledged, arrivals }: Recording, cutAtNs: number): string[] {
  try {
    using database = new DatabaseSync(file);
    const column = (sql: string) =>
      database
        .prepare(sql)
        .all()
        .map((row) => String(row.text));
    const damage = column("select integrity_check as text from pragma_integrity_check where text <> 'ok'");
    const codes = new Set(column('select code as text from vouchers'));
    const names = new Set(column('select name as text from vouchers union select name from intents'));
    const lost = acknowledged.filter(({ atNs, code }) => atNs < cutAtNs && !codes.has(code));
    const orphans = arrivals.filter(({ atNs, name }) => atNs < cutAtNs && !names.has(name));
    return [
      ...damage,
      ...lost.map(({ name }) => `${name} was acknowledged and is lost`),
      ...orphans.map(({ name }) => `${name} was ordered from the console, and nothing is known of it`),
    ];
  } catch (error) {
    return [String(error)];
  }
}

/** Starts a service on the files and creates a voucher. Returns the fault, if this fails. */
async function restart(folder: string, { key, siteId }: Recording): Promise<string[]> {
  const environment = { DATA_DIR: folder, GASTPASS_DEMO: '0', LOG_LEVEL: 'silent' };
  const service = await startGastpass({ environment });
  try {
    await orderVoucher(service, { key, siteId, name: 'after-the-cut' });
    return [];
  } catch (error) {
    return [String(error)];
  } finally {
    await service.stop();
  }
}

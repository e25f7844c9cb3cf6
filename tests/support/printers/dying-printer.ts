// Lets a printer die at places of a job, and checks what becomes of the job and of the next one: a job that died before
// its first dot is printed later, once; any other job is unknown, and never repeated.

import assert from 'node:assert/strict';
import { until } from '../until.ts';
import { JOB_BYTES, type PrintingQueue } from './printing-queue.ts';
import { type RawPrinter, startRawPrinter } from './raw-printer.ts';

/** `DLE EOT` three times. */
const QUESTION_BYTES = 9;
const CONFIRMATION_BYTES = 3;
const LANES = 4;
const ALL_BYTES = QUESTION_BYTES + JOB_BYTES + CONFIRMATION_BYTES;

/** Every byte at which a step of the conversation begins or ends, and others evenly spread over the job. */
export function placesOf(count: number): number[] {
  const head = 5 + 8;
  const steps = [
    ...Array.from({ length: QUESTION_BYTES + 3 }, (_, place) => place),
    ...[QUESTION_BYTES + head - 1, QUESTION_BYTES + head, QUESTION_BYTES + head + 1],
    ...[ALL_BYTES - 8, ALL_BYTES - 7, ALL_BYTES - 4, ALL_BYTES - 3, ALL_BYTES - 1, ALL_BYTES],
  ];
  const spread = Math.max(0, count - steps.length);
  const others = Array.from({ length: spread }, (_, index) =>
    Math.round(QUESTION_BYTES + ((index + 1) * JOB_BYTES) / (spread + 1)),
  );
  return [...new Set([...steps, ...others])].sort((one, other) => one - other);
}

/** Some printers die at the same time, so that the pauses after a failure take less time. */
export async function dieAtPlaces(places: number[], queue: PrintingQueue): Promise<void> {
  const left = places.entries();
  const lanes = Array.from({ length: LANES }, async () => {
    await using printer = await startRawPrinter();
    for (const [index, place] of left)
      await dieAt(place, { queue, printer, dies: index % 2 === 0 ? 'reset' : 'close' });
  });
  await Promise.all(lanes);
}

interface Death {
  queue: PrintingQueue;
  printer: RawPrinter;
  dies: 'reset' | 'close';
}

async function dieAt(place: number, { queue, printer, dies }: Death): Promise<void> {
  await printer.clear();
  const id = await queue.addPrinter(printer.address);
  printer.behave({ dies, diesAfter: place });
  const calls = printer.connections();
  const job = await queue.order(id);
  const isEarly = place <= QUESTION_BYTES;
  if (isEarly) {
    await until(() => printer.connections() >= calls + 2, { everyMs: 0 });
    assert.partialDeepStrictEqual(await queue.find(job), { state: 'queued' });
    printer.behave({});
    await queue.until(job, 'printed');
  } else {
    await queue.until(job, 'unknown');
    printer.behave({});
  }
  const paper = printer.slips.map(({ isWhole }) => isWhole);
  if (isEarly) assert.deepEqual(paper, [true], `at ${place}`);
  else assert.ok(paper.length <= 1, `at ${place}: ${paper.length} slips`);

  // The next job shows that the first is not repeated: a printer gets its jobs one after the other.
  await queue.until(await queue.order(id), 'printed');
  assert.equal((await queue.find(job)).state, isEarly ? 'printed' : 'unknown');
  assert.equal(printer.slips.length, paper.length + 1, `at ${place}`);
  await queue.removePrinter(id);
}

// A printer dies at 200 places of a job: the state of the job is right each time, and no slip is printed twice.

import { after, before, test } from 'node:test';
import { dieAtPlaces, placesOf } from '../../support/printers/dying-printer.ts';
import { type PrintingQueue, startPrintingQueue } from '../../support/printers/printing-queue.ts';

const PLACES = 200;

let queue: PrintingQueue;
before(async () => {
  queue = await startPrintingQueue();
});
after(() => queue[Symbol.asyncDispose]());

test(`a printer that dies at ${PLACES} places never prints a job twice`, async (t) => {
  const places = placesOf(PLACES);
  t.diagnostic(`${places.length} places`);
  await dieAtPlaces(places, queue);
});

// The worker thread that writes one PDF and exits. Its memory, including the loaded fonts, is freed with the thread.

import { parentPort, workerData } from 'node:worker_threads';
import { writePdf } from './write-pdf.ts';

const pdf = await writePdf(workerData);
parentPort?.postMessage(pdf);

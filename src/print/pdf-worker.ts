// The thread that writes one PDF and ends. What it loads for that, fonts and all, goes with it.

import { parentPort, workerData } from 'node:worker_threads';
import { writePdf } from './write-pdf.ts';

const pdf = await writePdf(workerData);
parentPort?.postMessage(pdf);

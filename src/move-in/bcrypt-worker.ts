// The worker thread that compares one password with one bcrypt hash.

import { parentPort, workerData } from 'node:worker_threads';
import bcrypt from 'bcryptjs';

const { password, stored } = workerData;
parentPort?.postMessage(bcrypt.compareSync(password, stored));

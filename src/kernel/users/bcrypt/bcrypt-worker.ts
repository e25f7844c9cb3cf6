// The worker thread that compares one password with bcrypt hashes. Only the first hash decides the result. The others
// are compared so that the check takes equally long for every account.

import { parentPort, workerData } from 'node:worker_threads';
import bcrypt from 'bcryptjs';
import * as v from 'valibot';

const { password, hashes } = v.parse(
  v.object({ password: v.string(), hashes: v.array(v.string()) }),
  workerData,
);
const [isRight] = hashes.map((hash) => bcrypt.compareSync(password, hash));
parentPort?.postMessage(isRight);

// Node 20 or newer, nothing to install: GASTPASS_KEY=gpk_YOUR_KEY node vouchers.mjs
import { setTimeout as sleep } from 'node:timers/promises';

const BASE = 'https://gastpass.example/api';
// Longer than Gastpass takes to find out whether a voucher exists whose answer was lost.
const PATIENCE_S = 120;

async function call(path, { order, idempotencyKey } = {}) {
  const headers = { Authorization: `Bearer ${process.env.GASTPASS_KEY}` };
  if (order) {
    headers['Content-Type'] = 'application/json';
    headers['Idempotency-Key'] = idempotencyKey;
  }
  const request = { method: order ? 'POST' : 'GET', headers, body: order && JSON.stringify(order) };
  const endsAt = Date.now() + PATIENCE_S * 1_000;
  for (let pauseS = 1; ; pauseS = Math.min(2 * pauseS, 10)) {
    let waitS = pauseS;
    let problem;
    try {
      const answer = await fetch(BASE + path, { ...request, signal: AbortSignal.timeout(30_000) });
      const text = await answer.text();
      if (answer.ok) return JSON.parse(text);
      problem = new Error(`${answer.status} ${text}`);
      // "yes" and "after-settling": the same request may succeed later. A proxy does not say it.
      const retry = answer.headers.get('gastpass-retry') ?? (answer.status > 500 ? 'yes' : 'no');
      if (retry === 'no') throw problem;
      waitS = Number(answer.headers.get('retry-after') ?? pauseS);
    } catch (error) {
      // Nobody there, or the answer was lost on its way. Both are safe to repeat.
      const wasLost = error instanceof TypeError || error.name === 'TimeoutError';
      if (!wasLost) throw error;
      problem = error;
    }
    if (Date.now() + waitS * 1_000 > endsAt) throw problem;
    await sleep(waitS * 1_000);
  }
}

try {
  // The same key gets the same voucher, however often you send it within a day. Count r1 up when the
  // booking changes: the new voucher replaces the others of the booking.
  const idempotencyKey = 'javascript-4711-r1';
  const order = { site: 1, name: 'Room 12', devices: 2, minutes: 1440, reference: '4711', replaces: true };
  const created = await call('/v1/vouchers', { order, idempotencyKey });
  console.log(`Created: ${created.vouchers[0].formatted_code}`);

  // The newest vouchers of the site. next_cursor leads to the next page.
  const { vouchers } = await call('/v1/vouchers?site=1&limit=200');
  for (const { code, status, name } of vouchers) console.log(code, status, name);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

// Node 20 or newer, nothing to install: GASTPASS_KEY=gpk_YOUR_KEY node vouchers.mjs
import { setTimeout as sleep } from 'node:timers/promises';

const BASE = 'https://gastpass.example/api';

async function call(path, order) {
  const headers = { Authorization: `Bearer ${process.env.GASTPASS_KEY}` };
  if (order) {
    headers['Content-Type'] = 'application/json';
    // One per voucher you want: the same in every try, so that only one is made.
    headers['Idempotency-Key'] = crypto.randomUUID();
  }
  const request = { method: order ? 'POST' : 'GET', headers, body: order && JSON.stringify(order) };
  for (let triesLeft = 3; ; triesLeft--) {
    let waitS = 1;
    try {
      const answer = await fetch(BASE + path, { ...request, signal: AbortSignal.timeout(30_000) });
      const text = await answer.text();
      if (answer.ok) return JSON.parse(text);
      // With Retry-After (409, 429, 503) it is worth another try; everything else is for you to mend.
      waitS = Number(answer.headers.get('retry-after') ?? Number.NaN);
      if (Number.isNaN(waitS) || triesLeft === 0) throw new Error(`${answer.status} ${text}`);
    } catch (error) {
      // Nobody there, or the answer was lost on its way. Both are safe to repeat.
      const wasLost = error instanceof TypeError || error.name === 'TimeoutError';
      if (!wasLost || triesLeft === 0) throw error;
    }
    await sleep(waitS * 1_000);
  }
}

try {
  const order = { site_id: 1, name: 'Room 12', max_uses: 2, expire_minutes: 1440 };
  const made = await call('/vouchers.php', order);
  console.log(`Created: ${made.formatted_code}`);

  const { vouchers } = await call('/vouchers.php?site_id=1');
  for (const { voucher_code, voucher_name, status } of vouchers)
    console.log(voucher_code, status, voucher_name);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

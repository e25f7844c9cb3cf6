// The first steps of a new user with an installed Gastpass: a voucher through the API, a page, the explorer of the API
// and a PDF. Each step loads parts of the package that the others do not.

import assert from 'node:assert/strict';
import { makeWebClient } from '../web/web-client.ts';

export interface Installed {
  url: string;
  key: string;
  email: string;
  password: string;
}

export async function takeFirstSteps({ url, key, email, password }: Installed): Promise<void> {
  const { status, code } = await orderVoucher(url, key);
  assert.equal(status, 201);
  assert.match(code, /^\d{10}$/);

  const browser = makeWebClient({ url });
  const home = await browser.login(email, password);
  assert.equal(home.status, 303, home.text);
  const list = await browser.get('/vouchers');
  assert.ok(list.text.includes(code.slice(5)), 'the list of vouchers shows the code');
  const stylesheet = /\/assets\/style-\w+\.css/.exec(list.text)?.[0] ?? '';
  assert.equal((await browser.get(stylesheet)).status, 200);
  assert.equal((await browser.get('/assets/slip-bold.woff')).status, 200);

  const explorer = await browser.get('/api-docs/explore');
  const script = /\/assets\/swagger-ui-bundle-[\d.]+\.js/.exec(explorer.text)?.[0] ?? '';
  assert.ok((await browser.get(script)).text.length > 1_000_000, 'Swagger UI is served');
  assert.match((await browser.get('/api-docs/examples')).text, /curl_setopt/);

  const pdf = await browser.get('/vouchers/pdf?voucher=1');
  assert.equal(pdf.headers.get('content-type'), 'application/pdf', pdf.text.slice(0, 500));
  assert.match(pdf.text, /^%PDF-/);
}

async function orderVoucher(url: string, key: string): Promise<{ status: number; code: string }> {
  const response = await fetch(`${url}/api/vouchers.php`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ site_id: 1, name: 'Zimmer 12' }),
  });
  const { code } = JSON.parse(await response.text());
  return { status: response.status, code };
}

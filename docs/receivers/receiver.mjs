// Takes notifications of Gastpass: WEBHOOK_SECRET=whsec_… PORT=3000 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

const key = Buffer.from(process.env.WEBHOOK_SECRET?.replace('whsec_', '') ?? '', 'base64');
if (key.length === 0) throw new Error('WEBHOOK_SECRET is missing');
const seen = new Set(); // a table of yours, if it has to outlive a restart

function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': sentAt, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(sentAt)) <= 300)) return false;
  const expected = createHmac('sha256', key).update(`${id}.${sentAt}.`).update(body).digest();
  return signatures.split(' ').some((signature) => {
    const [version, text = ''] = signature.split(',');
    const given = Buffer.from(text, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const server = createServer(async (request, response) => {
  const body = await buffer(request).catch(() => ''); // who hangs up has said nothing
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end();
  const id = request.headers['webhook-id'];
  if (!seen.has(id)) console.log(id, JSON.stringify(JSON.parse(body)));
  seen.add(id);
  return response.writeHead(204).end();
});
server.listen(process.env.PORT, '127.0.0.1', () => console.log('listening on port', server.address().port));

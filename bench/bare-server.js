// The upper limit for reads: a bare node:http server that sends the same bytes to every request. It reads the response
// as JSON from standard input and prints its URL. JavaScript, as Node would first have to load a compiler for anything
// else.

import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const { status, headers, body } = JSON.parse(await text(process.stdin));
const bytes = Buffer.from(body);
const server = createServer((_request, response) => {
  response.writeHead(status, headers);
  response.end(bytes);
});
// Ends in the usual way, so that a profile is written.
process.once('SIGTERM', () => process.exit());
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));

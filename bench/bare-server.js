// The upper limit for reads: a bare node:http server that sends a given body and sets only the content headers. It reads
// the body from standard input, takes the status as its argument, and prints its URL. JavaScript, as Node would first have to
// load a compiler for anything else.

import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const status = Number(process.argv[2]);
const body = Buffer.from(await text(process.stdin));
const server = createServer((_request, response) => {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    ...(status !== 304 && { 'content-length': body.length }),
  });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));

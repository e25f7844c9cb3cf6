// A mail server for tests that says exactly what it is told to say, also what no mail server would say.

import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { MailServer } from '../../../src/features/mail/mail-server.ts';

/** A reply without its line break. `hang`: no reply. `drop`: the connection is cut. Or whatever the function does. */
export type RawReply = string | ((socket: Socket) => void);

export interface RawMailServer extends AsyncDisposable {
  port: number;
  settings: MailServer;
  /** All lines of all clients. */
  lines: string[];
  /** Whether all connections are closed. */
  isIdle(): boolean;
}

/** A usable server without TLS and without login, but for the given replies. */
export async function startRawMailServer(replies: Record<string, RawReply> = {}): Promise<RawMailServer> {
  const lines: string[] = [];
  const sockets = new Set<Socket>();
  const all: Record<string, RawReply> = {
    greeting: '220 mx.example ESMTP',
    EHLO: '250 mx.example',
    MAIL: '250 ok',
    RCPT: '250 ok',
    DATA: '354 go on',
    '.': '250 queued',
    QUIT: (socket) => socket.end('221 bye\r\n'),
    ...replies,
  };

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    let rest = '';
    let isContent = false;

    function say(command: string): void {
      const reply = all[command] ?? '502 unknown command';
      if (typeof reply === 'function') reply(socket);
      else if (reply === 'drop') socket.destroy();
      else if (reply !== 'hang') socket.write(`${reply}\r\n`);
      if (command === 'DATA') isContent = true;
    }

    socket.on('data', (chunk) => {
      const found = (rest + chunk.toString('latin1')).split('\r\n');
      rest = found.pop() ?? '';
      for (const line of found) {
        lines.push(line);
        if (!isContent) say(/^[A-Z]+/.exec(line)?.[0] ?? line);
        else if (line === '.') {
          isContent = false;
          say('.');
        }
      }
    });
    say('greeting');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    port,
    settings: {
      host: '127.0.0.1',
      port,
      tls: 'off',
      from: { name: 'Hotel Löwen', address: 'wlan@hotel.example' },
      perHour: null,
    },
    lines,
    isIdle: () => sockets.size === 0,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

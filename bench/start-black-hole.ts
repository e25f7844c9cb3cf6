// A server that accepts connections and never says anything.

import { createServer, type Socket } from 'node:net';

export async function startBlackHole() {
  const held = new Set<Socket>();
  let calls = 0;
  const server = createServer((socket) => {
    calls++;
    held.add(socket);
    socket.on('error', () => {}).on('close', () => held.delete(socket));
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('the black hole has no port');
  return {
    port: address.port,
    calls: () => calls,
    stop() {
      server.close();
      for (const socket of held) socket.destroy();
    },
  };
}

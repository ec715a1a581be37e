import { connect as dial, createServer, type AddressInfo, type Socket } from 'node:net';

/** A network between the cache and the database. */
export interface Proxy {
  url: string;
  /** Silently drops all data. */
  silence: () => void;
  /** Holds data from the database back. */
  hold: () => void;
  heldBytes: () => number;
  /** All data sent to the database so far, as text. */
  sent: () => string;
  /** Forwards data again, held data first. */
  speak: () => void;
  close: () => void;
}

export async function proxyTo(url: string): Promise<Proxy> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let mode: 'speaking' | 'silent' | 'holding' = 'speaking';
  const held: { near: Socket; bytes: Buffer }[] = [];
  let sent = '';
  const server = createServer((near) => {
    const far = dial(Number(port), hostname);
    near.on('data', (bytes: Buffer) => {
      sent += bytes.toString('latin1');
      if (mode !== 'silent') far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (mode === 'speaking') near.write(bytes);
      else if (mode === 'holding') held.push({ near, bytes });
    });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        if (mode !== 'silent') other.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const through = new URL(url);
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: through.href,
    silence: () => {
      mode = 'silent';
    },
    hold: () => {
      mode = 'holding';
    },
    sent: () => sent,
    heldBytes: () => held.reduce((sum, { bytes }) => sum + bytes.length, 0),
    speak: () => {
      mode = 'speaking';
      for (const { near, bytes } of held.splice(0)) near.write(bytes);
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A stand-in for clamd: `answer` gets each connection with the bytes that were streamed on it so far. */
export interface FakeClamd {
  host: string;
  port: number;
  /** The files that were streamed to their ends. */
  files: Buffer[];
  close: () => Promise<void>;
}

const COMMAND = 'zINSTREAM\0';

/** Listens on a free port. `respond` is called when a whole file has arrived; `atOnce` when somebody connects. */
export async function fakeClamd(
  respond: (socket: Socket, file: Buffer) => void,
  atOnce: (socket: Socket) => void = () => undefined,
): Promise<FakeClamd> {
  const files: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let received = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes]);
      const file = fileIn(received);
      if (!file) return;
      files.push(file);
      respond(socket, file);
    });
    atOnce(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port, files, close };
}

/** The chunks after the command, up to the empty one; null while it is missing. */
function fileIn(received: Buffer): Buffer | null {
  if (!received.toString('latin1').startsWith(COMMAND)) return null;
  const chunks: Buffer[] = [];
  for (let at = COMMAND.length; at + 4 <= received.length;) {
    const length = received.readUInt32BE(at);
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(received.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return null;
}

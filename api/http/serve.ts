import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { answerUnreadable } from './answer/unreadable';

/** A listening server. */
export interface Serving {
  port: number;
  /**
   * Accepts no further connections, lets open requests finish, and resolves when the last one has. Requests that are
   * still open after `graceMs` are cut off.
   */
  drain: (graceMs?: number) => Promise<void>;
}

const GRACE_MS = 25_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** For the whole request, so that a client cannot hold a connection by sending its body byte by byte. */
export const REQUEST_TIMEOUT_MS = 30_000;
/** A little longer than load balancers keep idle connections, so that they close them first, never on a request. */
const KEEP_ALIVE_MS = 65_000;

/** Listens on a port (0: any free one) of an address, by default one that only this machine can reach. */
export async function serve(app: RequestListener, port: number, host = '127.0.0.1'): Promise<Serving> {
  // By connection: a pipelined response gets no close event when its connection is closed.
  const openAnswers = new Map<Socket, Set<ServerResponse>>();
  let draining = false;
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: 2_000,
  });
  server.on('clientError', answerUnreadable);
  server.on('connection', (socket) => {
    openAnswers.set(socket, new Set());
    socket.on('close', () => openAnswers.delete(socket));
  });
  server.on('request', (req, res) => {
    const answers = openAnswers.get(req.socket);
    answers?.add(res);
    res.on('close', () => answers?.delete(res));
    if (draining) res.setHeader('Connection', 'close');
    app(req, res);
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: portOf(server),
    async drain(graceMs = GRACE_MS) {
      draining = true;
      for (const answers of openAnswers.values())
        for (const res of answers) if (!res.headersSent) res.setHeader('Connection', 'close');
      // Browsers open spare connections. Node would wait for a request on them.
      for (const socket of openAnswers.keys()) if (socket.bytesRead === 0) socket.destroy();
      await closed(server, graceMs);
    },
  };
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Closes the server and its idle connections; those in use end with the `Connection: close` of their answer. */
async function closed(server: Server, graceMs: number): Promise<void> {
  const end = once(server, 'close');
  server.close();
  const cutOff = setTimeout(() => server.closeAllConnections(), graceMs);
  await end;
  clearTimeout(cutOff);
}

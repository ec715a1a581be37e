import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { answerUnreadable } from './answer/unreadable';

/** A server that listens. */
export interface Serving {
  port: number;
  /**
   * Takes no more connections, lets what is being answered be answered, and resolves when nothing is left. What is
   * not answered after `graceMs` is cut off.
   */
  drain: (graceMs?: number) => Promise<void>;
}

const GRACE_MS = 25_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** For the whole request, so that nobody holds a connection by sending a body a byte at a time. */
const REQUEST_TIMEOUT_MS = 30_000;
/** A little longer than load balancers keep idle connections, so that they hang up first and never on a request. */
const KEEP_ALIVE_MS = 65_000;

/** Listens on a port (0: any free one) of an address, by default where only this machine comes. */
export async function serve(app: RequestListener, port: number, host = '127.0.0.1'): Promise<Serving> {
  // By connection: an answer that waits behind another of its connection is not told when that is closed.
  const answering = new Map<Socket, Set<ServerResponse>>();
  let draining = false;
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: 2_000,
  });
  server.on('clientError', answerUnreadable);
  server.on('connection', (socket) => {
    answering.set(socket, new Set());
    socket.on('close', () => answering.delete(socket));
  });
  server.on('request', (req, res) => {
    const answers = answering.get(req.socket);
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
      for (const answers of answering.values())
        for (const res of answers) if (!res.headersSent) res.setHeader('Connection', 'close');
      // Browsers open connections on suspicion; nothing was asked on these, but Node would wait for it.
      for (const socket of answering.keys()) if (socket.bytesRead === 0) socket.destroy();
      await closed(server, graceMs);
    },
  };
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Closing also ends idle kept-alive connections; those in use end with their answer's `Connection: close`. */
async function closed(server: Server, graceMs: number): Promise<void> {
  const end = once(server, 'close');
  server.close();
  const cutOff = setTimeout(() => server.closeAllConnections(), graceMs);
  await end;
  clearTimeout(cutOff);
}

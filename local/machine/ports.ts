import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { messageOf } from '../failure';

const listenOnce = (port: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      const taken = address !== null && typeof address === 'object' ? address.port : undefined;
      server.close(() => resolve(taken));
    });
  });

/** Returns true when nothing listens on this port of the loopback address. */
export const isPortFree = async (port: number): Promise<boolean> => (await listenOnce(port)) === port;

/** The range ends below the ephemeral ports of outgoing connections, which may be taken again at any time. */
const FIRST_PORT = 12_000;
const LAST_PORT = 32_000;
const PORT_TRIES = 100;

/** A port that was free just now. Throws when the machine has none. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < PORT_TRIES; attempt += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (await isPortFree(port)) return port;
  }
  throw new Error('No free port on 127.0.0.1.');
}

const START_TRIES = 5;
const PORT_TAKEN = /EADDRINUSE|address already in use/i;

/** Starts something on a free port, and on another one when that was taken in between. */
export async function onFreePort<Started>(start: (port: number) => Promise<Started>): Promise<Started> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await freePort());
    } catch (error) {
      if (attempt === START_TRIES || !PORT_TAKEN.test(messageOf(error))) throw error;
    }
  }
}

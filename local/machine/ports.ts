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

/** Whether nobody listens on the port of this machine's loopback address. */
export const isPortFree = async (port: number): Promise<boolean> => (await listenOnce(port)) === port;

/** Below the ports that systems give to outgoing connections: one of those would be taken again at any moment. */
const firstPort = 12_000;
const lastPort = 32_000;
const portTries = 100;

/** A port that was free just now. Throws when the machine has none. */
export const freePort = async (): Promise<number> => {
  for (let attempt = 0; attempt < portTries; attempt += 1) {
    const port = randomInt(firstPort, lastPort);
    if (await isPortFree(port)) return port;
  }
  throw new Error('No free port on 127.0.0.1.');
};

const startTries = 5;
const portTaken = /EADDRINUSE|address already in use/i;

/** Starts something on a free port; on another one where somebody took that port in between. */
export const onFreePort = async <Started>(start: (port: number) => Promise<Started>): Promise<Started> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await freePort());
    } catch (error) {
      if (attempt === startTries || !portTaken.test(messageOf(error))) throw error;
    }
  }
};

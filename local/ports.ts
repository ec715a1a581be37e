import { createServer } from 'node:net';

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

/** A port that was free just now. Throws when the machine has none. */
export const freePort = async (): Promise<number> => {
  const port = await listenOnce(0);
  if (port === undefined) throw new Error('No free port on 127.0.0.1.');
  return port;
};

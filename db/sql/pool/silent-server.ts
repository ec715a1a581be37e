import { Socket } from 'node:net';

/**
 * Makes the sockets of a pool. A server that has vanished, or a path to it that swallows everything, says nothing, not
 * even that it is gone; whoever waits for it would wait for ever, and so would everyone who gets that connection next.
 * So a connection ends when nothing has come or gone for `withinMs`; 0: never.
 */
export const endingWhenSilent = (withinMs: number) => (): Socket => {
  const socket = new Socket();
  socket.setTimeout(withinMs, () =>
    socket.destroy(new Error('Connection terminated: the server was silent.')),
  );
  return socket;
};

const KEEPALIVE_AFTER_MS = 10_000;

/** Makes the sockets of connections that may be silent for long; the system notices a server that has vanished. */
export const keptAlive = (): Socket => {
  const socket = new Socket();
  return socket.once('connect', () => socket.setKeepAlive(true, KEEPALIVE_AFTER_MS));
};

import { Socket } from 'node:net';

/**
 * Makes the sockets of a pool. A vanished server, or a network path that drops everything, sends nothing, not even an
 * end; callers would wait for ever, now and on the next use of the connection. So a connection ends after `withinMs`
 * without traffic; 0: never.
 */
export const endingWhenSilent = (withinMs: number) => (): Socket => {
  const socket = new Socket();
  socket.setTimeout(withinMs, () =>
    socket.destroy(new Error('Connection terminated: the server was silent.')),
  );
  return socket;
};

const KEEPALIVE_AFTER_MS = 10_000;

/** Makes the sockets of connections that may be silent for long; TCP's keepalive notices a vanished server. */
export const keptAlive = (): Socket => {
  const socket = new Socket();
  return socket.once('connect', () => socket.setKeepAlive(true, KEEPALIVE_AFTER_MS));
};

import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';

/** Where committed messages are announced. The announcement says nothing but «look». */
export const OUTBOX_CHANNEL = 'outbox';

const CONNECT_WITHIN_MS = 10_000;
const GOODBYE_MS = 1_000;

/** Hears of committed messages, over a connection of its own. */
export interface OutboxListener {
  /** Resolves at the next announcement, at once if there was one since the last call, else when `timeoutMs` is over. */
  heard: (timeoutMs: number, signal: AbortSignal) => Promise<void>;
  close: () => Promise<void>;
}

/** Starts to listen. A connection that is lost later only makes the listener deaf: `heard` then waits its time out. */
export async function listenToOutbox(url: string): Promise<OutboxListener> {
  const client = new Client({
    connectionString: url,
    application_name: 'outbox',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
  });
  let announced = false;
  let wake: () => void = () => undefined;
  client.on('notification', () => {
    announced = true;
    wake();
  });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`LISTEN ${OUTBOX_CHANNEL}`);

  return {
    async heard(timeoutMs, signal) {
      if (!announced && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
          signal.addEventListener('abort', wake, { once: true });
        });
        signal.removeEventListener('abort', wake);
      }
      announced = false;
    },
    // A server that has vanished never says goodbye; nothing is lost by not waiting for it.
    close: () => Promise.race([client.end(), pause(GOODBYE_MS, undefined, { ref: false })]),
  };
}

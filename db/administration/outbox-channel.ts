import { Client } from 'pg';

/** Where committed messages are announced. The announcement says nothing but «look». */
export const OUTBOX_CHANNEL = 'outbox';

/** Hears of committed messages, over a connection of its own. */
export interface OutboxListener {
  /** Resolves at the next announcement, at once if there was one since the last call, else when `timeoutMs` is over. */
  heard: (timeoutMs: number, signal: AbortSignal) => Promise<void>;
  close: () => Promise<void>;
}

/** Starts to listen. A connection that is lost later only makes the listener deaf: `heard` then waits its time out. */
export async function listenToOutbox(url: string): Promise<OutboxListener> {
  const client = new Client({ connectionString: url, application_name: 'outbox', keepAlive: true });
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
    close: () => client.end(),
  };
}

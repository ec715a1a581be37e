import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';

/** The channel that announces committed messages, without content. */
export const OUTBOX_CHANNEL = 'outbox';

const CONNECT_WITHIN_MS = 10_000;
const CLOSE_WITHIN_MS = 1_000;

/** Receives announcements of committed messages, over a connection of its own. */
export interface OutboxListener {
  /** Resolves at the next announcement, at once if there was one since the last call, at the latest after `timeoutMs`. */
  nextAnnouncement: (timeoutMs: number, signal: AbortSignal) => Promise<void>;
  close: () => Promise<void>;
}

/** Starts to listen. After a lost connection no more announcements arrive, and `nextAnnouncement` ends by its timeout. */
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
    async nextAnnouncement(timeoutMs, signal) {
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
    // A vanished server never confirms the end; nothing is lost by not waiting for it.
    close: () => Promise.race([client.end(), pause(CLOSE_WITHIN_MS, undefined, { ref: false })]),
  };
}

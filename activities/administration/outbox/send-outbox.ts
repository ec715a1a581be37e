import { listenToOutbox, type OutboxListener } from '../../../db/administration/outbox/outbox-channel';
import type { Db } from '../../../db/sql/query';
import type { SendingResult } from '../../../workflows/administration/outbox/outbox-sender.contract';
import { withHeartbeat } from '../../heartbeat';
import { sendBatch, type OutboxDrivers } from './send-batch';

export interface OutboxDeps {
  db: Db;
  /** The address of `db`: listening requires a connection of its own. */
  databaseUrl: string;
  drivers: OutboxDrivers;
}

/** Interval of looking for messages without an announcement: quiet ones, and those to be tried again. */
const POLL_EVERY_MS = 2_000;

/** Sends what is due and what becomes due, until `forMs` have passed or the activity is cancelled. */
export function sendOutbox(
  { db, databaseUrl, drivers }: OutboxDeps,
  { forMs }: { forMs: number },
): Promise<SendingResult> {
  const result: SendingResult = { sent: 0, failed: 0, dead: 0 };
  const send = async (signal: AbortSignal): Promise<SendingResult> => {
    const end = AbortSignal.any([signal, AbortSignal.timeout(forMs)]);
    const listener = await listenToOutbox(databaseUrl);
    try {
      await sendUntil(end, listener, () => sendBatch(db, drivers), result);
    } finally {
      await listener.close();
    }
    return result;
  };
  return withHeartbeat(send, () => result);
}

/** Sends until the signal is aborted, which is a normal end: the next activity continues. */
async function sendUntil(
  end: AbortSignal,
  listener: OutboxListener,
  send: () => Promise<(keyof SendingResult)[]>,
  result: SendingResult,
): Promise<void> {
  while (!end.aborted) {
    const outcomes = await send();
    for (const outcome of outcomes) result[outcome]++;
    if (outcomes.length === 0) await listener.nextAnnouncement(POLL_EVERY_MS, end);
  }
}

import { listenToOutbox, type OutboxListener } from '../../../db/administration/outbox/outbox-channel';
import type { Db } from '../../../db/sql/query';
import type {
  OutboxActivities,
  SendingResult,
} from '../../../workflows/administration/outbox/outbox-sender.contract';
import { withHeartbeat } from '../../heartbeat';
import { sendBatch, type WaysOut } from './outbox-sending';

export interface OutboxSenderParts {
  db: Db;
  /** Where `db` is: listening takes a connection of its own. */
  databaseUrl: string;
  ways: WaysOut;
}

/** What was not announced, because its try failed or its sender died, is found by looking. */
const LOOK_EVERY_MS = 2_000;

export const outboxActivities = ({ db, databaseUrl, ways }: OutboxSenderParts): OutboxActivities => ({
  async sendOutbox({ forMs }) {
    const result: SendingResult = { sent: 0, failed: 0, dead: 0 };
    const send = async (signal: AbortSignal): Promise<SendingResult> => {
      const end = AbortSignal.any([signal, AbortSignal.timeout(forMs)]);
      const listener = await listenToOutbox(databaseUrl);
      try {
        await sendUntil(end, listener, () => sendBatch(db, ways), result);
      } finally {
        await listener.close();
      }
      return result;
    };
    return withHeartbeat(send, () => result);
  },
});

/** When it is asked to stop it ends normally, with all it did: nothing is lost, and the next stretch goes on from here. */
async function sendUntil(
  end: AbortSignal,
  listener: OutboxListener,
  send: () => Promise<(keyof SendingResult)[]>,
  result: SendingResult,
): Promise<void> {
  while (!end.aborted) {
    const outcomes = await send();
    for (const outcome of outcomes) result[outcome]++;
    if (outcomes.length === 0) await listener.heard(LOOK_EVERY_MS, end);
  }
}

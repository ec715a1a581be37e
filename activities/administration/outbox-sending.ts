import {
  claimDue,
  markDead,
  markSent,
  postpone,
  type ClaimedMessage,
} from '../../db/administration/outbox.transitions';
import type { Db } from '../../db/sql';
import type { SendingResult } from '../../workflows/administration/outbox-sender.contract';
import { MOST_TRIES, waitAfterTry } from '../../workflows/administration/outbox.rules';
import { assertDeliverable, UndeliverableMail, type MailProvider } from '../providers/mail/port';

/** Sent at the same time; a sender that dies leaves at most so many to be sent twice. */
const BATCH = 10;
/** Longer than any driver may take for one mail. */
const CLAIM_MS = 60_000;

type Outcome = keyof SendingResult;

/** Sends what is due now, a batch of it. Answers what became of each message; nothing was due if there is none. */
export async function sendBatch(db: Db, mail: MailProvider): Promise<Outcome[]> {
  const messages = await claimDue(db, BATCH, CLAIM_MS);
  return Promise.all(messages.map((message) => sendOne(db, mail, message)));
}

async function sendOne(db: Db, provider: MailProvider, message: ClaimedMessage): Promise<Outcome> {
  if (message.attempts > MOST_TRIES) return bury(db, message, 'Every sender died over this message.');
  const mail = { id: message.id, to: message.recipient, ...message.payload };
  try {
    assertDeliverable(mail);
    await provider.send(mail);
  } catch (error) {
    return failed(db, message, error);
  }
  await markSent(db, message.id);
  return 'sent';
}

async function failed(db: Db, message: ClaimedMessage, error: unknown): Promise<Outcome> {
  const reason = error instanceof Error ? error.message : String(error);
  const waitMs = error instanceof UndeliverableMail ? null : waitAfterTry(message.attempts);
  if (waitMs === null) return bury(db, message, reason);
  await postpone(db, message, waitMs, reason);
  return 'failed';
}

async function bury(db: Db, message: ClaimedMessage, reason: string): Promise<Outcome> {
  await markDead(db, message, reason);
  return 'dead';
}

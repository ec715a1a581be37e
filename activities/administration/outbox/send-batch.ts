import {
  claimDue,
  markDead,
  markSent,
  openMessage,
  postpone,
  type ClaimedMessage,
  type OpenedMessage,
} from '../../../db/administration/outbox/outbox.transitions';
import { Unsealable } from '../../../db/sealing/cipher';
import type { Db } from '../../../db/sql/query';
import type { SendingResult } from '../../../workflows/administration/outbox/outbox-sender.contract';
import { MOST_TRIES, waitAfterTry } from '../../../workflows/administration/outbox/outbox.rules';
import { assertDeliverable, type MailProvider } from '../../providers/mail/port';
import { assertReachable, type SmsProvider } from '../../providers/sms/port';
import { Undeliverable } from '../../providers/undeliverable';

/** Messages sent at the same time; at most so many are sent twice after a sender's crash. */
const BATCH = 10;
/** Longer than the limit of any driver for one message. */
const CLAIM_MS = 60_000;

type Outcome = keyof SendingResult;

/** The configured drivers. */
export interface OutboxDrivers {
  mail: MailProvider;
  sms: SmsProvider;
}

/** Sends a batch of due messages. Returns the outcome of each; an empty list when nothing is due. */
export async function sendBatch(db: Db, drivers: OutboxDrivers): Promise<Outcome[]> {
  const messages = await claimDue(db, BATCH, CLAIM_MS);
  return Promise.all(messages.map((message) => sendOne(db, drivers, message)));
}

async function sendOne(db: Db, drivers: OutboxDrivers, message: ClaimedMessage): Promise<Outcome> {
  if (message.withdrawnAt !== null) return giveUp(db, message, null);
  if (message.attempts > MOST_TRIES) return giveUp(db, message, 'Every sender died over this message.');
  try {
    await sendByDriver(drivers, openMessage(db, message));
  } catch (error) {
    return recordFailure(db, message, error);
  }
  await markSent(db, message.id);
  return 'sent';
}

async function sendByDriver(drivers: OutboxDrivers, message: OpenedMessage): Promise<void> {
  const { id, recipient: to } = message;
  switch (message.kind) {
    case 'MAIL': {
      const mail = { id, to, ...message.content };
      assertDeliverable(mail);
      return drivers.mail.send(mail);
    }
    case 'SMS': {
      const sms = { id, to, ...message.content };
      assertReachable(sms);
      return drivers.sms.send(sms);
    }
  }
}

async function recordFailure(db: Db, message: ClaimedMessage, error: unknown): Promise<Outcome> {
  const reason = error instanceof Error ? error.message : String(error);
  const waitMs = error instanceof Undeliverable ? null : waitAfterTry(message.attempts);
  if (waitMs === null) return giveUp(db, message, reason);
  await postpone(db, message, waitMs, reason);
  return 'failed';
}

async function giveUp(db: Db, message: ClaimedMessage, reason: string | null): Promise<Outcome> {
  await markDead(db, message, reason, { holdsSecret: holdsSecret(db, message) });
  return 'dead';
}

/** True for a message with a token or a code. One that cannot be opened counts as none: its key may come back. */
function holdsSecret(db: Db, message: ClaimedMessage): boolean {
  try {
    const { content } = openMessage(db, message);
    return content.code !== undefined || 'token' in content;
  } catch (error) {
    if (error instanceof Unsealable) return false;
    throw error;
  }
}

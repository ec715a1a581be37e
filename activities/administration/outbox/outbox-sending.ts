import {
  claimDue,
  markDead,
  markSent,
  openMessage,
  postpone,
  type ClaimedMessage,
  type OpenedMessage,
} from '../../../db/administration/outbox/outbox.transitions';
import type { Db } from '../../../db/sql/query';
import type { SendingResult } from '../../../workflows/administration/outbox/outbox-sender.contract';
import { MOST_TRIES, waitAfterTry } from '../../../workflows/administration/outbox/outbox.rules';
import { assertDeliverable, type MailProvider } from '../../providers/mail/port';
import { assertReachable, type SmsProvider } from '../../providers/sms/port';
import { Undeliverable } from '../../providers/undeliverable';

/** Sent at the same time; a sender that dies leaves at most so many to be sent twice. */
const BATCH = 10;
/** Longer than any driver may take for one mail. */
const CLAIM_MS = 60_000;

type Outcome = keyof SendingResult;

/** The ways out that are configured. */
export interface WaysOut {
  mail: MailProvider;
  sms: SmsProvider;
}

/** Sends what is due now, a batch of it. Answers what became of each message; nothing was due if there is none. */
export async function sendBatch(db: Db, ways: WaysOut): Promise<Outcome[]> {
  const messages = await claimDue(db, BATCH, CLAIM_MS);
  return Promise.all(messages.map((message) => sendOne(db, ways, message)));
}

async function sendOne(db: Db, ways: WaysOut, message: ClaimedMessage): Promise<Outcome> {
  if (message.attempts > MOST_TRIES) return bury(db, message, 'Every sender died over this message.');
  try {
    await handOver(ways, openMessage(db, message));
  } catch (error) {
    return failed(db, message, error);
  }
  await markSent(db, message.id);
  return 'sent';
}

async function handOver({ mail: byMail, sms: bySms }: WaysOut, message: OpenedMessage): Promise<void> {
  const { id, recipient: to } = message;
  switch (message.kind) {
    case 'MAIL': {
      const mail = { id, to, ...message.content };
      assertDeliverable(mail);
      return byMail.send(mail);
    }
    case 'SMS': {
      const sms = { id, to, ...message.content };
      assertReachable(sms);
      return bySms.send(sms);
    }
  }
}

async function failed(db: Db, message: ClaimedMessage, error: unknown): Promise<Outcome> {
  const reason = error instanceof Error ? error.message : String(error);
  const waitMs = error instanceof Undeliverable ? null : waitAfterTry(message.attempts);
  if (waitMs === null) return bury(db, message, reason);
  await postpone(db, message, waitMs, reason);
  return 'failed';
}

async function bury(db: Db, message: ClaimedMessage, reason: string): Promise<Outcome> {
  await markDead(db, message, reason);
  return 'dead';
}

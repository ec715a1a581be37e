import { audited } from '../../../db/administration/audit/audit.writes';
import { lockMessage, requeueMessage } from '../../../db/administration/outbox/dead-message.writes';
import type { DeadMessage } from '../../../db/administration/outbox/dead-message.reads';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal, refusalOf } from '../../../workflows/errors';
import type { Actor } from '../actor';

/** Queues a message that was given up again. Refused: MESSAGE_NOT_FOUND, NOT_DEAD, CANNOT_RESEND. */
export const resend = (db: Db, id: string, actor: Actor): Promise<void> =>
  inTransaction(db, async (tx) => {
    const message = await lockMessage(tx, id);
    if (!message) throw refusal('MESSAGE_NOT_FOUND');
    const { status, gone, kind, reference, attempts } = message;
    if (status !== 'DEAD')
      throw refusal(
        'NOT_DEAD',
        status === 'SENT' ? 'This message has been sent.' : 'This message is being sent already.',
      );
    if (gone !== null) throw cannotResend(gone);
    await requeueMessage(tx, id);
    await audited(
      tx,
      actor,
      'message.resend',
      id,
      { status, attempts },
      { status: 'WAITING', kind, reference },
    );
  });

type ContentGone = NonNullable<DeadMessage['gone']>;

const WORDS = {
  EXPIRED: 'This message held a code that worked once. Its recipient has to ask for a new one.',
  ERASED: 'The content of this message is no longer kept.',
  WITHDRAWN: 'What this message says no longer holds.',
} as const satisfies Record<ContentGone, string>;

const cannotResend = (gone: ContentGone): Error =>
  refusalOf({ code: 'CANNOT_RESEND', message: WORDS[gone], reason: `MESSAGE_${gone}` });

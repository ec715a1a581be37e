import { letter, type LetterContent } from '../../../db/administration/outbox/letter';
import { enqueueQuietMail, withdrawMail } from '../../../db/administration/outbox/outbox.writes';
import type { TopUpRow } from '../../../db/ledger/top-up/top-up.reads';
import { memberAddressee } from '../../../db/partners/membership/membership-letter.reads';
import type { Tx } from '../../../db/sql/query';
import type { TransferLetterData } from '../../../workflows/commerce/payable/transfer-letter.rules';
import { topUpTransferLetter, type TopUpLetterData } from '../../../workflows/ledger/top-up/top-up.letters';

/** The events of a top-up that are mailed, each once; those of a chargeback once for each. */
type Event = 'transfer' | 'paid' | 'unpaid' | `taken-back:${string}` | `given-back:${string}`;

const referenceOf = (topUpId: string, event: Event): string => `top-up:${topUpId}:${event}`;

/** Queues a mail about a top-up; none to an erased account. */
export async function queueTopUpMail(
  tx: Tx,
  topUp: TopUpRow,
  event: Event,
  contentOf: (data: TopUpLetterData) => LetterContent,
): Promise<void> {
  const addressee = await memberAddressee(tx, topUp.userId);
  if (!addressee) return;
  await enqueueQuietMail(tx, {
    reference: referenceOf(topUp.id, event),
    to: addressee.email,
    ...letter(contentOf({ ...topUp, ...addressee })),
  });
}

/** Queues the mail that asks for a bank transfer. */
export const queueTopUpTransferMail = (
  tx: Tx,
  topUp: TopUpRow,
  transfer: TransferLetterData,
): Promise<void> => queueTopUpMail(tx, topUp, 'transfer', (data) => topUpTransferLetter(data, transfer));

/** Withdraws that mail, of a top-up that no longer waits for it; nothing when it has gone. */
export const withdrawTopUpTransferMail = (tx: Tx, topUpId: string): Promise<void> =>
  withdrawMail(tx, referenceOf(topUpId, 'transfer'));

import { letter, type LetterContent } from '../../../db/administration/outbox/letter';
import { enqueueQuietMail, withdrawMail } from '../../../db/administration/outbox/outbox.writes';
import { memberAddressee } from '../../../db/partners/membership/membership-letter.reads';
import type { Entrance } from '../../../db/partners/membership/entrance.reads';
import type { Tx } from '../../../db/sql/query';
import type { TransferLetterData } from '../../../workflows/commerce/payable/transfer-letter.rules';
import {
  entranceTransferLetter,
  type EntranceLetterData,
} from '../../../workflows/partners/membership/membership.letters';

const referenceOf = (entranceId: string, event: 'transfer' | 'unpaid'): string =>
  `entrance:${entranceId}:${event}`;

/** Queues a mail about an entrance fee; none to an erased account. */
export async function queueEntranceMail(
  tx: Tx,
  entrance: Pick<Entrance, 'id' | 'userId' | 'number' | 'amountMinor' | 'currency'>,
  event: 'transfer' | 'unpaid',
  contentOf: (data: EntranceLetterData) => LetterContent,
): Promise<void> {
  const addressee = await memberAddressee(tx, entrance.userId);
  if (!addressee) return;
  await enqueueQuietMail(tx, {
    reference: referenceOf(entrance.id, event),
    to: addressee.email,
    ...letter(contentOf({ ...entrance, ...addressee })),
  });
}

/** Queues the mail that asks for a bank transfer. */
export const queueEntranceTransferMail = (
  tx: Tx,
  entrance: Parameters<typeof queueEntranceMail>[1],
  transfer: TransferLetterData,
): Promise<void> =>
  queueEntranceMail(tx, entrance, 'transfer', (data) => entranceTransferLetter(data, transfer));

/** Withdraws that mail, of an entrance fee that no longer waits for it; nothing when it has gone. */
export const withdrawEntranceTransferMail = (tx: Tx, entranceId: string): Promise<void> =>
  withdrawMail(tx, referenceOf(entranceId, 'transfer'));

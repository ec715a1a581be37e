import { letter } from '../../../db/administration/outbox/letter';
import { enqueueQuietMail } from '../../../db/administration/outbox/outbox.writes';
import type { PayoutRow } from '../../../db/commerce/payout/payout.transitions';
import { userStanding } from '../../../db/kyc/standing/user-standing.reads';
import type { Tx } from '../../../db/sql/query';
import { payoutLetter, type PayoutMailKind } from '../../../workflows/commerce/payout/payout.letters';

type Mailed = Pick<PayoutRow, 'id' | 'kind' | 'userId' | 'amountMinor' | 'currency' | 'maskedDetails'>;

/** The decision that a mail is about. */
interface Decided {
  reason: string | null;
  fundsReturned: boolean;
}

/** Queues a mail about a payout to its owner, once for each kind; an erased account gets none. */
export async function queuePayoutMail(
  tx: Tx,
  { id, userId, ...payout }: Mailed,
  mail: PayoutMailKind,
  { reason, fundsReturned }: Decided = { reason: null, fundsReturned: true },
): Promise<void> {
  const owner = await userStanding(tx, userId);
  if (!owner || owner.erasedAt !== null) return;
  const content = payoutLetter(mail, { ...payout, firstName: owner.firstName, reason, fundsReturned });
  const reference = `payout:${id}:${mail.toLowerCase()}`;
  await enqueueQuietMail(tx, { reference, to: owner.email, ...letter(content) });
}

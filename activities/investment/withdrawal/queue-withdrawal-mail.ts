import { letter } from '../../../db/administration/outbox/letter';
import { enqueueQuietMail } from '../../../db/administration/outbox/outbox.writes';
import type { Withdrawal } from '../../../db/investment/withdrawal/withdrawal.transitions';
import { userStanding } from '../../../db/kyc/standing/user-standing.reads';
import type { Tx } from '../../../db/sql/query';
import {
  withdrawalLetter,
  type WithdrawalMailKind,
} from '../../../workflows/investment/withdrawal/withdrawal.letters';
import { participationName } from '../../../db/investment/participation/participation-name.reads';

type Mailed = Pick<
  Withdrawal,
  'id' | 'participationId' | 'userId' | 'netMinor' | 'currency' | 'maskedDetails'
>;

/** Queues a mail about a withdrawal, once for each kind; an erased account gets none. */
export async function queueWithdrawalMail(
  tx: Tx,
  { id, participationId, userId, netMinor, currency, maskedDetails }: Mailed,
  kind: WithdrawalMailKind,
): Promise<void> {
  const owner = await userStanding(tx, userId);
  if (!owner || owner.erasedAt !== null) return;
  const { number, strategyName } = await participationName(tx, participationId);
  const { firstName } = owner;
  const content = withdrawalLetter(kind, {
    ...{ firstName, number, strategyName, maskedDetails, amountMinor: netMinor, currency },
  });
  const reference = `withdrawal:${id}:${kind.toLowerCase()}`;
  await enqueueQuietMail(tx, { reference, to: owner.email, ...letter(content) });
}

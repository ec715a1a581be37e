import type { BankFileTransferEnd } from '../../../../db/commerce/bank-file/bank-file-transfer.writes';
import {
  transferSubjects,
  type TransferSubject,
} from '../../../../db/commerce/bank-file/transfer-subject.reads';
import type { Policy } from '../../../../db/policy/config';
import type { Tx } from '../../../../db/sql/query';
import { requireSecondAdministrator } from '../../../../workflows/commerce/payout/payout-refusals';
import { refusal } from '../../../../workflows/errors';
import type { Actor } from '../../actor';

/**
 * Returns the payouts and withdrawals of these transfers. Refuses with FORBIDDEN an administrator who would end a transfer of their own, or,
 * above the amount that needs two, refuse one that they have had sent (SECOND_ADMINISTRATOR_REQUIRED).
 */
export async function requireMayEnd(
  tx: Tx,
  ends: readonly Pick<BankFileTransferEnd, 'id' | 'status'>[],
  { actorId }: Actor,
  { payoutFourEyes }: Pick<Policy, 'payoutFourEyes'>,
): Promise<TransferSubject[]> {
  const subjects = await transferSubjects(
    tx,
    ends.map(({ id }) => id),
  );
  if (subjects.some(({ userId }) => userId === actorId))
    throw refusal(
      'FORBIDDEN',
      'One of these transfers pays you, so another administrator has to enter this.',
    );
  const refused = new Set(ends.filter(({ status }) => status === 'REFUSED').map(({ id }) => id));
  for (const { transferId, processedBy, ...amount } of subjects)
    if (refused.has(transferId)) requireSecondAdministrator(amount, actorId, processedBy, payoutFourEyes);
  return subjects;
}

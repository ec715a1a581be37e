import type { PayoutRow } from '../../../../db/commerce/payout/payout.transitions';
import { uncoveredTopUpsMinor } from '../../../../db/ledger/top-up/disputed-top-up.reads';
import type { Tx } from '../../../../db/sql/query';
import { refusalOf } from '../../../../workflows/errors';

/**
 * Refuses a step that lets money out of a wallet while a bank has taken back more of its owner's top-ups than could be taken from
 * the wallet: FORBIDDEN with the reason TOP_UP_CHARGED_BACK. The owner is locked, so that a chargeback comes before or after.
 */
export async function requireTopUpsCovered(
  tx: Tx,
  { kind, userId, currency }: Pick<PayoutRow, 'kind' | 'userId' | 'currency'>,
): Promise<void> {
  if (kind !== 'WALLET' || (await uncoveredTopUpsMinor(tx, userId, currency)) === 0) return;
  throw refusalOf({
    code: 'FORBIDDEN',
    message:
      'A bank has taken back a top-up of this user, and the wallet did not hold all of it, so no withdrawal is sent. It may be rejected.',
    reason: 'TOP_UP_CHARGED_BACK',
  });
}

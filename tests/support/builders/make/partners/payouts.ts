import { v7 } from 'uuid';
import { bookHold, bookPaidOut } from '../../../../../db/commerce/payout/payout-ledger.transitions';
import type { Tx } from '../../../../../db/sql/query';
import { insert } from '../insert';
import { admin } from '../people';

interface PaidOut {
  /** Null for a payout from a wallet. */
  partnerId: string | null;
  userId: string;
  amountMinor: number;
  at: Date;
  /** By default at the same time. */
  requestedAt?: Date;
}

/** A payout of a partner, or from a wallet, that has arrived, with its decisions and transfers. */
export async function completedPayout(
  tx: Tx,
  { partnerId, userId, amountMinor, at, requestedAt = at }: PaidOut,
): Promise<void> {
  const id = v7();
  const by = (await admin(tx)).id;
  const kind = partnerId === null ? 'WALLET' : 'PARTNER';
  const payout = { id, kind, userId, amountMinor, currency: 'USD' } as const;
  await insert(tx, 'payouts', {
    id,
    kind,
    user_id: userId,
    partner_id: partnerId,
    amount_minor: amountMinor,
    currency: 'USD',
    method: 'CARD',
    masked_details: '•••• 4242',
    status: 'COMPLETED',
    provider: 'sandbox',
    sendings: 1,
    transfer_reference: v7(),
    approved_by: by,
    approved_at: at,
    processed_by: by,
    processed_at: at,
    created_at: requestedAt,
    ended_at: at,
  });
  for (const [action, sending] of [
    ['APPROVE', null],
    ['PROCESS', 1],
  ] as const)
    await insert(tx, 'payout_decisions', {
      id: v7(),
      payout_id: id,
      action,
      sending,
      made_by: by,
      made_at: at,
    });
  await bookHold(tx, payout, requestedAt);
  await bookPaidOut(tx, payout, 'sandbox', at);
}

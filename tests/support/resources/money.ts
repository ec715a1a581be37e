import { randomUUID } from 'node:crypto';
import { execute, firstRow, type Db } from '../../../db/sql/query';
import type { PayoutKind } from '../../../workflows/commerce/payout/payout.rules';
import { CARD, withdrawnByHand } from '../builders/investing/withdrawing';
import { make } from '../builders/make';
import { decision, payoutSteps, requested, saveDetails } from '../builders/paying-out/payees';
import { collected, filed, idOf } from '../builders/payouts/bank-files';
import { topUp, TOP_UP_MINOR } from '../builders/wallets/top-ups';
import type { Make, Makes } from './make';
import { earningPartnerOf } from './partners';

/** Lets a user be paid out once more: saved details, money, and no open payout. */
async function payable(db: Db, userId: string, kind: PayoutKind): Promise<void> {
  await saveDetails(db, userId, CARD);
  const open = await firstRow<{ id: string }>(
    db,
    `SELECT id FROM payouts WHERE user_id = $1 AND kind = $2 AND status = 'PENDING'`,
    [userId, kind],
  );
  if (open) {
    const cancelled = await decision(db, open.id, { by: userId });
    await payoutSteps(db, null).cancelPayout({ ...cancelled, byOwner: true });
  }
  if (kind === 'WALLET') await make.money(db, userId, 100_00);
  else await earningPartnerOf(db, userId);
}

/** A payout at a stage on which people decide. */
const payout =
  (kind: PayoutKind, until: 'PENDING' | 'APPROVED' | 'PROCESSING'): Make =>
  async ({ world: { db } }, { owner }) => {
    const { user } = await owner();
    await payable(db, user.id, kind);
    const steps = payoutSteps(db, null);
    const id = await requested(steps, { kind, userId: user.id });
    if (until === 'PENDING') return id;
    await steps.approvePayout(await decision(db, id));
    // One that somebody else has made would stop payouts.
    await execute(
      db,
      'UPDATE reconciliation_differences SET resolved_at = now() WHERE resolved_at IS NULL',
      [],
    );
    // A bank's reference would mean that a person has sent it.
    if (until === 'APPROVED') return { id, fields: { externalReference: undefined } };
    await steps.processPayout(await decision(db, id));
    return { id, fields: { externalReference: randomUUID(), outcome: 'DONE' } };
  };

const payouts = (kind: PayoutKind) => ({
  any: payout(kind, 'PENDING'),
  PENDING: payout(kind, 'PENDING'),
  APPROVED: payout(kind, 'APPROVED'),
  PROCESSING: payout(kind, 'PROCESSING'),
});

const waitingTopUp: Make = async ({ world: { db } }, { owner }) =>
  (await topUp(db, { userId: (await owner()).user.id })).id;
const byHand: Make = ({ world: { db } }) => withdrawnByHand(db);

/** Money that comes in and goes out, and the files for the bank. */
export const money = {
  'bank file': { any: async ({ world: { db } }) => (await filed(db)).fileId },
  'collected transfer': { any: async ({ world: { db } }) => idOf((await collected(db))[0]!) },
  'payment purpose': {
    any: async ({ world: { db } }) => ({
      id: (await topUp(db)).number,
      fields: { amount: TOP_UP_MINOR / 100, onMismatch: undefined },
    }),
  },
  payout: payouts('PARTNER'),
  'top-up': { any: waitingTopUp, PENDING_PAYMENT: waitingTopUp },
  'wallet withdrawal': payouts('WALLET'),
  withdrawal: { any: byHand, PROCESSING: byHand },
} satisfies Record<string, Makes>;

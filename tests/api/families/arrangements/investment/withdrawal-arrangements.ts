import { randomUUID } from 'node:crypto';
import { execute } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import { withdrawnByHand } from '../../../../support/builders/investing/withdrawing';
import type { Arrange } from '../arranged';

/** A running participation, of somebody whose identity is verified. */
const running: Arrange = async ({ world: { db } }, { user: { id: userId } }) => {
  const risen = await execute(
    db,
    `UPDATE users u SET kyc_level = 'STANDARD', kyc_status = 'APPROVED' WHERE id = $1
       AND NOT EXISTS (SELECT 1 FROM kyc_verifications v WHERE v.user_id = u.id AND v.status = 'APPROVED')`,
    [userId],
  );
  if (risen > 0) await make.verified(db, userId);
  const { id } = await make.participation(db, { status: 'ACTIVE', userId });
  const toBalance = { withdrawalMethod: 'BALANCE', useSavedDetails: undefined, details: undefined };
  return { params: { id }, body: { ...toBalance, acceptPenalty: true } };
};

const byHand: Arrange = async ({ world }) => ({ params: { id: await withdrawnByHand(world.db) } });

/** Endpoints about withdrawals. */
export const withdrawalArrangements: Readonly<Record<string, Arrange>> = {
  'POST /investment/participations/:id/withdraw': running,
  'GET /admin/withdrawals/:id': byHand,
  'POST /admin/withdrawals/:id/settle': async (family, as) => ({
    ...(await byHand(family, as)),
    body: { reference: randomUUID(), outcome: 'DONE' },
  }),
};

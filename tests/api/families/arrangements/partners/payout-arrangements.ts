import { randomUUID } from 'node:crypto';
import { execute, firstRow, type Db } from '../../../../../db/sql/query';
import { CARD } from '../../../../support/builders/investing/withdrawing';
import { make } from '../../../../support/builders/make';
import {
  decision,
  payee,
  payoutSteps,
  requested,
  saveDetails,
} from '../../../../support/builders/paying-out/payees';
import type { Arrange } from '../arranged';

type Kind = 'PARTNER' | 'WALLET';

/** Lets a user be paid out: verified, with saved details, money, and no open payout. */
async function payable(db: Db, userId: string, kind: Kind): Promise<void> {
  const risen = await execute(
    db,
    `UPDATE users u SET kyc_level = 'STANDARD', kyc_status = 'APPROVED' WHERE id = $1
       AND NOT EXISTS (SELECT 1 FROM kyc_verifications v WHERE v.user_id = u.id AND v.status = 'APPROVED')`,
    [userId],
  );
  if (risen > 0) await make.verified(db, userId);
  await saveDetails(db, userId, CARD);
  const open = await firstRow<{ id: string }>(
    db,
    `SELECT id FROM payouts WHERE user_id = $1 AND kind = $2 AND status = 'PENDING'`,
    [userId, kind],
  );
  if (open)
    await payoutSteps(db, null).cancelPayout({
      ...(await decision(db, open.id, { by: userId })),
      byOwner: true,
    });
  if (kind === 'WALLET') return make.money(db, userId, 100_00);
  const known = await firstRow<{ id: string }>(db, 'SELECT id FROM partners WHERE user_id = $1', [userId]);
  const partnerId = known?.id ?? (await make.partner(db, { userId })).id;
  await make.commission(db, { partnerId, grossMinor: 100_00, status: 'APPROVED' });
}

const asks =
  (kind: Kind): Arrange =>
  async ({ world: { db } }, { user }) => {
    await payable(db, user.id, kind);
    return { body: { amount: 20 } };
  };
const own =
  (kind: Kind): Arrange =>
  async ({ world: { db } }, { user }) => {
    await payable(db, user.id, kind);
    return { params: { id: await requested(payoutSteps(db, null), { kind, userId: user.id }) } };
  };
const reads: Arrange = async ({ world: { db } }, { user }) => {
  const known = await firstRow(db, 'SELECT 1 AS one FROM partners WHERE user_id = $1', [user.id]);
  if (!known) await make.partner(db, { userId: user.id });
  return {};
};

/** A payout of somebody else, so far. */
const another =
  (kind: Kind, until: 'PENDING' | 'APPROVED' | 'PROCESSING', body?: () => Record<string, unknown>): Arrange =>
  async ({ world: { db } }) => {
    const steps = payoutSteps(db, null);
    const id = await requested(steps, await payee(db, { kind }));
    if (until !== 'PENDING') await steps.approvePayout(await decision(db, id));
    // One of another arrangement would stop payouts.
    await execute(
      db,
      'UPDATE reconciliation_differences SET resolved_at = now() WHERE resolved_at IS NULL',
      [],
    );
    if (until === 'PROCESSING') await steps.processPayout(await decision(db, id));
    return { params: { id }, ...(body && { body: body() }) };
  };

const deskArrangements = (base: string, kind: Kind): Record<string, Arrange> => ({
  [`GET ${base}/:id`]: another(kind, 'PENDING'),
  [`POST ${base}/:id/approve`]: another(kind, 'PENDING'),
  [`POST ${base}/:id/reject`]: another(kind, 'PENDING'),
  [`POST ${base}/:id/cancel`]: another(kind, 'PENDING'),
  [`POST ${base}/:id/process`]: another(kind, 'APPROVED', () => ({ externalReference: undefined })),
  [`POST ${base}/:id/complete`]: another(kind, 'PROCESSING', () => ({
    externalReference: randomUUID(),
    outcome: 'DONE',
  })),
  [`POST ${base}/approve`]: async (family, as) => {
    const { params } = await another(kind, 'PENDING')(family, as);
    return { body: { ids: [params!['id']] } };
  },
});

/** Endpoints about payouts of partners and withdrawals from wallets. */
export const payoutArrangements: Readonly<Record<string, Arrange>> = {
  'GET /mlm/payouts/balance': reads,
  'GET /mlm/payouts/history': reads,
  'POST /mlm/payouts/request': asks('PARTNER'),
  'POST /mlm/payouts/:id/cancel': own('PARTNER'),
  'POST /users/me/balance/withdraw': asks('WALLET'),
  'POST /users/me/balance/withdrawals/:id/cancel': own('WALLET'),
  ...deskArrangements('/admin/payouts', 'PARTNER'),
  ...deskArrangements('/admin/wallet-withdrawals', 'WALLET'),
};

import { v7 } from 'uuid';
import { eraseAccount } from '../../../db/identity/account-deletion/erasure.transitions';
import { execute, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { withdrawnByHand } from '../../support/builders/investing/withdrawing';
import { make } from '../../support/builders/make';
import { payee, payoutSteps, requested } from '../../support/builders/paying-out/payees';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();

/** A partner with a link, an adjusted commission and a rank set by hand, each with a text; answers what is left of them. */
async function partnerWithTexts() {
  const { partnerId, userId, id } = await make.commission(own.db);
  const admin = await make.admin(own.db);
  await execute(
    own.owner,
    `INSERT INTO partner_links (id, partner_id, code, name, campaign, landing_path, created_at)
     VALUES ($1, $2::uuid, upper(substr(md5($2::uuid::text), 1, 8)), 'Ada''s blog', 'ada-summer', '/', now())`,
    [v7(), partnerId],
  );
  await execute(
    own.owner,
    `UPDATE partner_commissions SET adjustments = 1, adjusted_by = $2, adjusted_at = now(), adjustment_reason = 'Ada lied'
      WHERE id = $1`,
    [id, admin.id],
  );
  for (const [by, reason, to] of [
    [admin.id, 'Ada asked for it', 3],
    [null, null, 4],
  ])
    await execute(
      own.owner,
      `INSERT INTO partner_rank_changes (id, partner_id, programme_version, from_level, to_level, changed_by, reason, changed_at)
       VALUES ($1, $2, 1, 1, $5, $3, $4, now())`,
      [v7(), partnerId, by, reason, to],
    );
  const texts = async (): Promise<unknown[]> => [
    ...(await rows(own.db, 'SELECT name, campaign FROM partner_links WHERE partner_id = $1', [partnerId])),
    ...(await rows(own.db, 'SELECT adjustment_reason AS reason FROM partner_commissions WHERE id = $1', [
      id,
    ])),
    ...(await rows(
      own.db,
      'SELECT reason FROM partner_rank_changes WHERE partner_id = $1 ORDER BY to_level',
      [partnerId],
    )),
  ];
  return { userId, texts };
}

test('an erased partner leaves no text of theirs or about them, and no text of others is touched', async () => {
  const [gone, other] = [await partnerWithTexts(), await partnerWithTexts()];
  const before = await other.texts();
  await inTransaction(own.db, (tx) => eraseAccount(tx, gone.userId, new Date()));
  expect(await gone.texts()).toEqual([
    { name: 'Erased', campaign: null },
    { reason: 'Erased' },
    { reason: 'Erased' },
    { reason: null },
  ]);
  expect(await other.texts()).toEqual(before);
  expect(before).toContainEqual({ name: "Ada's blog", campaign: 'ada-summer' });
});

/** Three ended payouts and a refused withdrawal of one person, each with the words of an administrator or a bank. */
async function paidOut() {
  const steps = payoutSteps(own.db, null);
  const [who, admin] = [await payee(own.db), await make.admin(own.db)];
  for (const [status, decidedBy, reason, arrivedAs] of [
    ['REJECTED', admin.id, 'Ada lied', null],
    ['CANCELLED', who.userId, null, null],
    ['COMPLETED', null, null, `OUT-${v7()}`],
  ]) {
    const id = await requested(steps, who, 10_00);
    await execute(
      own.db,
      `UPDATE payouts SET status = $2, decided_by = $3, rejection_reason = $4, transfer_reference = $5,
         funds_returned = CASE WHEN $2 <> 'COMPLETED' THEN true END, provider = CASE WHEN $2 = 'COMPLETED' THEN 'stripe' END,
         details = CASE WHEN $2 = 'COMPLETED' THEN details END, ended_at = now(),
         sendings = 2, approved_by = $6, approved_at = now(), processed_by = $6, processed_at = now(),
         external_reference = 'For Ada', last_refusal = 'Ada is unknown at the bank.' WHERE id = $1`,
      [id, status, decidedBy, reason, arrivedAs, admin.id],
    );
  }
  const withdrawalId = await withdrawnByHand(own.db);
  await execute(
    own.db,
    `UPDATE investment_withdrawals SET user_id = $2, status = 'CREDITED', refused_because = 'Ada is unknown at the bank.',
       ended_at = now() WHERE id = $1`,
    [withdrawalId, who.userId],
  );
  const texts = async () => [
    ...(await rows<Record<string, unknown>>(
      own.db,
      `SELECT status, rejection_reason, external_reference, last_refusal, details IS NULL AS forgotten,
         transfer_reference IS NOT NULL AS arrived FROM payouts WHERE user_id = $1 ORDER BY created_at, id`,
      [who.userId],
    )),
    ...(await rows(
      own.db,
      'SELECT refused_because, details IS NULL AS forgotten FROM investment_withdrawals WHERE id = $1',
      [withdrawalId],
    )),
  ];
  return { userId: who.userId, texts };
}

test('nothing that an administrator or a bank wrote about a payout or a withdrawal outlives the account', async () => {
  const [gone, other] = [await paidOut(), await paidOut()];
  const before = await other.texts();
  await inTransaction(own.db, (tx) => eraseAccount(tx, gone.userId, new Date()));
  const cleared = { externalReference: null, lastRefusal: null, forgotten: true };
  expect(await gone.texts()).toEqual([
    { status: 'REJECTED', rejectionReason: 'Erased', ...cleared, arrived: false },
    { status: 'CANCELLED', rejectionReason: null, ...cleared, arrived: false },
    { status: 'COMPLETED', rejectionReason: null, ...cleared, arrived: true },
    { refusedBecause: 'Erased', forgotten: true },
  ]);
  expect(await other.texts()).toEqual(before);
  expect(before).toContainEqual({ refusedBecause: 'Ada is unknown at the bank.', forgotten: false });
});

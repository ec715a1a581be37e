import { accountDeletionActivities } from '../../../../activities/identity/account-deletion/account-deletion.activities';
import { takeAllEvents } from '../../../support/checks/take-events';
import { diskBlobs } from '../../../../db/blobs/disk';
import { policyFrom } from '../../../../db/policy/config';
import { execute, firstRow } from '../../../../db/sql/query';
import { refusalIn } from '../../../../workflows/errors';
import { entrance } from '../../../support/builders/partnering/entering';
import { make } from '../../../support/builders/make';
import { insert } from '../../../support/builders/make/insert';
import { openSession } from '../../../support/builders/sign-in';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { testVariables } from '../../../support/worlds/variables';
import { v7 } from 'uuid';

const own = ownDatabase();
const steps = () =>
  accountDeletionActivities({
    ...{ db: own.db, blobs: diskBlobs(testVariables['BLOB_DIR']!), policy: policyFrom({}) },
  });
const request = async (userId: string) =>
  steps().scheduleDeletion({
    ...{ userId, sessionId: await openSession(own.db, userId), at: new Date().toISOString() },
  });
const refusalOf = (userId: string): Promise<unknown> =>
  request(userId).catch((error: unknown) => {
    const { code, details } = refusalIn(error)!;
    return [code, JSON.stringify(details)];
  });

test('an erased partner: the membership ends, the place in the tree and its counts stay', async () => {
  const top = await make.partner(own.db);
  const middle = await make.partner(own.db, { sponsorId: top.id, status: 'SUSPENDED' });
  const below = await make.partner(own.db, { sponsorId: middle.id });
  await takeAllEvents(own.db);
  const { dueAt } = await request(middle.userId);
  expect(await steps().eraseAccount({ userId: middle.userId, at: dueAt })).toBe('ERASED');
  expect(
    await firstRow(
      own.db,
      `SELECT p.status, p.sponsor_id, u.email LIKE 'erased-%' AS erased, s.network_size,
         (SELECT path <@ p.path FROM partners WHERE id = $2) AS is_above
       FROM partners p JOIN users u ON u.id = p.user_id JOIN partner_standings s ON s.partner_id = p.id WHERE p.id = $1`,
      [middle.id, below.id],
    ),
  ).toEqual({ status: 'TERMINATED', sponsorId: top.id, erased: true, networkSize: 1, isAbove: true });
  // Nobody is referred by the code any more, and the people below stay partners.
  expect(await firstRow(own.db, 'SELECT status FROM partners WHERE id = $1', [below.id])).toEqual({
    status: 'ACTIVE',
  });
  expect(await violations(own.db)).toEqual([]);
});

test('an entrance fee that waits for its payment keeps the account', async () => {
  const open = await entrance(own.db);
  expect(await refusalOf(open.userId)).toEqual([
    'VALIDATION_ERROR',
    expect.stringContaining(`the entrance fee ${open.number} is PENDING_PAYMENT`),
  ]);
});

test('one that was cancelled does not; money of it that is on its way back does', async () => {
  const late = await entrance(own.db);
  await execute(
    own.db,
    `UPDATE partner_entrances SET status = 'CANCELLED', payment_status = 'FAILED', ended_at = now() WHERE id = $1`,
    [late.id],
  );
  const capture = v7();
  await insert(own.db, 'payment_captures', {
    ...{ id: capture, entrance_id: late.id, provider: 'bank', provider_payment_id: `late-${late.id}` },
    ...{
      amount_minor: 49_90,
      currency: 'USD',
      applied: false,
      refunded_minor: 49_90,
      captured_at: new Date(),
    },
  });
  await insert(own.db, 'payment_refunds', {
    ...{ id: v7(), entrance_id: late.id, capture_id: capture, status: 'PROCESSING' },
    ...{ reason: 'LATE_PAYMENT', amount_minor: 49_90, currency: 'USD', created_at: new Date() },
  });
  expect(await refusalOf(late.userId)).toEqual([
    'VALIDATION_ERROR',
    expect.stringContaining(`money for entrance fee ${late.number} is on its way back`),
  ]);
  await execute(
    own.db,
    `UPDATE payment_refunds SET status = 'COMPLETED', provider_refund_id = 'sent', completed_at = now() WHERE entrance_id = $1`,
    [late.id],
  );
  expect(await request(late.userId)).toMatchObject({ dueAt: expect.any(String) });
});

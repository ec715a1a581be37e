import { platformFigures } from '../../../../db/administration/operations/platform-figures.reads';
import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();
const figures = async () => (await platformFigures(own.db)).kyc;

test('nothing waits: every status is there and is 0', async () => {
  expect(await figures()).toEqual({
    reviews: ['NEEDS_INFO', 'SUBMITTED', 'UNDER_REVIEW'].map((status) => ({ status, reviews: 0 })),
    overdue: 0,
    escalated: 0,
    oldestSeconds: 0,
  });
});

test('reviews are counted by status; overdue are those past their time, also when they were given more', async () => {
  const hourAgo = new Date(Date.now() - 3_600_000);
  for (const status of ['DOCUMENTS_PENDING', 'NEEDS_INFO', 'APPROVED', 'REJECTED'] as const)
    await make.verification(own.db, { status, at: new Date(0) });
  const { id: late } = await make.verification(own.db, { at: hourAgo });
  const { id: escalated } = await make.verification(own.db, { status: 'UNDER_REVIEW' });
  await make.verification(own.db);
  const before = await figures();
  expect(before.reviews).toEqual([
    { status: 'NEEDS_INFO', reviews: 1 },
    { status: 'SUBMITTED', reviews: 2 },
    { status: 'UNDER_REVIEW', reviews: 1 },
  ]);
  expect(before).toMatchObject({ overdue: 0, escalated: 0 });
  expect(before.oldestSeconds).toBeGreaterThanOrEqual(3_600);
  expect(before.oldestSeconds).toBeLessThan(7_200);
  await execute(own.db, `UPDATE kyc_verifications SET due_at = now() - interval '1 minute' WHERE id = $1`, [
    late,
  ]);
  expect(await figures()).toMatchObject({ overdue: 1, escalated: 0 });
  await execute(own.db, `UPDATE kyc_verifications SET escalated_at = now() WHERE id = $1`, [escalated]);
  expect(await figures()).toMatchObject({ overdue: 2, escalated: 1 });
});

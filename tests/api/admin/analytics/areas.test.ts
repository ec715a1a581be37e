import { v7 } from 'uuid';
import { announce } from '../../../../db/administration/domain-event/domain-event.writes';
import { movePartner } from '../../../../db/partners/membership/membership.writes';
import { execute } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { endParticipation } from '../../../support/builders/investing/ending';
import { make } from '../../../support/builders/make';
import { insert } from '../../../support/builders/make/insert';
import { completedPayout } from '../../../support/builders/make/partners/payouts';
import { strategy } from '../../../support/builders/make/strategies';
import { loseCommission, restoreCommission } from '../../../support/builders/partnering/disputed-commissions';
import { outcomeOf } from '../admin-world';
import { analyticsWorld } from './figures';

const { staff, figuresOf, beforeAndAfter } = analyticsWorld();

test('investments: what began, was earned and ended, and what runs', async () => {
  const { db } = staff().world;
  const { id: strategyId } = await strategy(db, { riskLevel: 'HIGH' });
  const began = async (amountMinor: number, at: string) =>
    make.participation(db, { strategyId, status: 'ACTIVE', amountMinor, at: new Date(at) });
  await began(50_000, '2025-01-10T12:00:00Z');
  await began(20_000, '2025-02-10T12:00:00Z');
  const page = await beforeAndAfter(() =>
    figuresOf('investments', '?dateFrom=2025-02-01&dateTo=2025-03-31&granularity=month'),
  );
  const figures = { invested: 200, active: 2, returns: 0, withdrawn: 0 };
  expect(page.summary).toMatchObject(figures);
  expect(page.timeline).toMatchObject([figures, { ...figures, invested: 0 }]);
  const divided = { ...figures, participations: 1, activePrincipal: 700, penalties: 0 };
  expect(page.breakdown).toMatchObject({
    byStrategy: [{ strategyId, ...divided }],
    byRisk: [{ risk: 'HIGH', ...divided }],
  });
  const before = await figuresOf('investments', '?dateFrom=2025-01-01&dateTo=2025-01-31');
  expect(before.timeline.map(({ active }) => active).slice(8, 11)).toEqual([0, 1, 1]);
});

test('an early withdrawal: what was paid out is without the penalty, which is apart', async () => {
  const { db } = staff().world;
  const { id: strategyId } = await strategy(db);
  const { id } = await make.participation(db, { strategyId, status: 'ACTIVE', amountMinor: 1_000_00 });
  await endParticipation(db, id, { to: 'WITHDRAWN', penaltyMinor: 50_00 });
  const { summary, breakdown } = await beforeAndAfter(() => figuresOf('investments'));
  const figures = { invested: 1_000, active: 0, returns: 0, withdrawn: 950 };
  expect(summary).toMatchObject(figures);
  expect(breakdown['byStrategy']).toMatchObject([
    { strategyId, ...figures, participations: 1, activePrincipal: 0, penalties: 50 },
  ]);
  expect((await figuresOf('overview')).breakdown['turnover']).toContainEqual({
    ...{ area: 'INVESTMENTS', incoming: 1_000, outgoing: 950 },
  });
});

test('what matured to the wallet and was paid out from there went through two areas', async () => {
  const { db } = staff().world;
  const { id, userId } = await make.participation(db, { status: 'ACTIVE', amountMinor: 1_000_00 });
  await endParticipation(db, id, { to: 'MATURED' });
  const payout = { partnerId: null, userId, amountMinor: 1_000_00, at: new Date() };
  await inTransaction(db, (tx) => completedPayout(tx, payout));
  const { summary, breakdown } = await beforeAndAfter(() => figuresOf('overview'));
  expect(summary).toMatchObject({ invested: 1_000, paidOut: 1_000 });
  expect(breakdown).toEqual({
    turnover: [
      { area: 'SALES', incoming: 0, outgoing: 0 },
      { area: 'INVESTMENTS', incoming: 1_000, outgoing: 1_000 },
      { area: 'PAYOUTS', incoming: 0, outgoing: 1_000 },
    ],
  });
});

test('partners: who joined, and commissions by type and by the rank at which they were earned', async () => {
  const { db } = staff().world;
  const { partnerId } = await make.commission(db, { type: 1, rankLevel: 1, grossMinor: 1_000 });
  const { id } = await make.commission(db, { partnerId, type: 2, rankLevel: 2, grossMinor: 500 });
  await execute(
    db,
    `UPDATE partner_commissions SET status = 'REVERSED', processed_at = now() WHERE id = $1`,
    [id],
  );
  const { summary, breakdown } = await beforeAndAfter(() => figuresOf('partners'));
  expect(summary).toMatchObject({ joined: 1, active: 1, commissions: 15, reversed: 5 });
  expect(breakdown).toEqual({
    byType: [
      { type: 1, earned: 1, commissions: 10, reversed: 0, paid: 0 },
      { type: 2, earned: 1, commissions: 5, reversed: 5, paid: 0 },
    ],
    byRank: [
      {
        ...{ rank: { level: 1, code: 'STARTER', name: 'Starter' }, active: 1 },
        ...{ earned: 1, commissions: 10, reversed: 0, paid: 0 },
      },
      {
        ...{ rank: { level: 2, code: 'BUILDER', name: 'Builder' }, active: 0 },
        ...{ earned: 1, commissions: 5, reversed: 5, paid: 0 },
      },
    ],
  });
});

test('a month that is over stays: what a chargeback took in January, and its return of March', async () => {
  const { db } = staff().world;
  const { id } = await make.commission(db, { grossMinor: 1_000, at: new Date('2026-01-05T12:00:00Z') });
  await loseCommission(db, id, new Date('2026-01-20T12:00:00Z'));
  const january = () => figuresOf('partners', '?dateFrom=2026-01-01&dateTo=2026-01-31');
  const exported = await beforeAndAfter(january);
  expect(exported.summary).toMatchObject({ commissions: 10, reversed: 10 });

  await restoreCommission(db, id, new Date('2026-03-10T12:00:00Z'));
  expect(await beforeAndAfter(january)).toEqual(exported);
  const march = await beforeAndAfter(() => figuresOf('partners', '?dateFrom=2026-03-01&dateTo=2026-03-31'));
  expect(march.summary).toMatchObject({ commissions: 0, reversed: -10 });
  expect(march.breakdown['byType']).toMatchObject([{ type: 1, earned: 0, reversed: -10 }]);
  const all = await figuresOf('partners', '?dateFrom=2026-01-01&dateTo=2026-03-31');
  expect(all.summary).toMatchObject({ commissions: 10, reversed: 0 });
});

test('active partners are counted by rank, through suspensions and ranks that are set meanwhile', async () => {
  const { db } = staff().world;
  const [{ id }, { id: other }] = [await make.partner(db), await make.partner(db)];
  const decide = async (what: string, body: object) =>
    expect(outcomeOf(await staff().ask('post', `/admin/partners/${id}/${what}`, body))).toBe('200');
  const active = async () => {
    const { summary, breakdown } = await beforeAndAfter(() => figuresOf('partners'));
    const ranks = breakdown['byRank'] as { rank: { code: string }; active: number }[];
    return [summary['active'], ...ranks.map(({ rank, active: count }) => `${rank.code} ${count}`)];
  };
  expect(await active()).toEqual([2, 'STARTER 2']);
  await decide('rank', { rankCode: 'BUILDER', reason: 'Agreed' });
  expect(await active()).toEqual([2, 'STARTER 1', 'BUILDER 1']);
  await decide('suspend', { reason: 'Under review' });
  expect(await active()).toEqual([1, 'STARTER 1', 'BUILDER 0']);
  await decide('rank', { rankCode: 'STARTER', reason: 'Agreed' });
  await decide('activate', {});
  expect(await active()).toEqual([2, 'STARTER 2', 'BUILDER 0']);
  await inTransaction(db, (tx) => movePartner(tx, { id: other, status: 'ACTIVE' }, 'TERMINATED', new Date()));
  expect(await active()).toEqual([1, 'STARTER 1', 'BUILDER 0']);
});

test('payouts and commissions that they pay', async () => {
  const { db } = staff().world;
  const { grossMinor } = await make.commission(db, { status: 'PAID' });
  const payouts = await beforeAndAfter(() => figuresOf('payouts'));
  const paid = grossMinor / 100;
  const figures = { requested: paid, paid, failed: 0, open: 0 };
  expect(payouts.summary).toMatchObject(figures);
  expect(payouts.breakdown).toEqual({
    byMethod: [{ kind: 'PARTNER', method: 'CARD', ...figures, averageHours: 0 }],
    byStatus: [{ status: 'COMPLETED', count: 1, amount: paid }],
  });
  expect((await figuresOf('partners')).breakdown['byType']).toMatchObject([{ paid }]);
  expect((await figuresOf('overview')).breakdown['turnover']).toContainEqual({
    ...{ area: 'PAYOUTS', incoming: 0, outgoing: paid },
  });
});

test('payouts that are open count in the status that they have, until they end', async () => {
  const { db } = staff().world;
  const { id: by } = await make.admin(db);
  const payout = async (at: string) => {
    const id = v7();
    await insert(db, 'payouts', {
      ...{ id, kind: 'WALLET', user_id: (await make.user(db)).id, amount_minor: 5_000, currency: 'USD' },
      ...{ method: 'BANK_TRANSFER', details: Buffer.from('sealed'), masked_details: '•••• 4242' },
      ...{ status: 'PENDING', created_at: at },
    });
    return id;
  };
  const [first, second] = [await payout('2025-03-01T10:00:00Z'), await payout('2025-03-02T10:00:00Z')];
  const approve = `UPDATE payouts SET status = 'APPROVED', approved_by = $2, approved_at = $3 WHERE id = $1`;
  await execute(db, approve, [first, by, '2025-03-02T12:00:00Z']);
  await execute(
    db,
    `UPDATE payouts SET status = 'REJECTED', decided_by = $2, ended_at = $3, funds_returned = true, details = NULL,
       rejection_reason = 'No' WHERE id = $1`,
    [second, by, '2025-03-04T12:00:00Z'],
  );
  const march = (to: string) =>
    beforeAndAfter(() => figuresOf('payouts', `?dateFrom=2025-03-01&dateTo=2025-03-${to}`));
  const { summary, timeline, breakdown } = await march('04');
  expect(summary).toMatchObject({ requested: 100, paid: 0, failed: 50, open: 50 });
  expect(timeline.map(({ open }) => open)).toEqual([50, 100, 100, 50]);
  expect(breakdown['byStatus']).toEqual([
    { status: 'APPROVED', count: 1, amount: 50 },
    { status: 'REJECTED', count: 1, amount: 50 },
  ]);
  expect((await march('03')).breakdown['byStatus']).toEqual([
    { status: 'PENDING', count: 1, amount: 50 },
    { status: 'APPROVED', count: 1, amount: 50 },
  ]);
});

test('identity verification: decisions, and how long they took', async () => {
  const about = { kycId: v7(), userId: staff().user.id };
  const event = (made: Parameters<typeof announce>[1], at: string) =>
    inTransaction(staff().world.db, (tx) => announce(tx, made, at));
  const submitted = (level: 'STANDARD' | 'ENHANCED') =>
    ({ type: 'kyc.submitted', ...about, submissionId: v7(), level }) as const;
  await event(submitted('STANDARD'), '2026-01-01T10:00:00Z');
  await event(submitted('STANDARD'), '2026-01-02T10:00:00Z');
  await event({ type: 'kyc.approved', ...about, level: 'STANDARD' }, '2026-01-02T16:30:00Z');
  await event(submitted('ENHANCED'), '2026-01-02T20:00:00Z');
  const refused = { level: 'ENHANCED', reason: 'SELFIE_MISMATCH' } as const;
  await event({ type: 'kyc.rejected', ...about, ...refused }, '2026-01-02T23:30:00Z');
  const { summary, breakdown } = await beforeAndAfter(() =>
    figuresOf('kyc', '?dateFrom=2026-01-01&dateTo=2026-01-02'),
  );
  expect(summary).toMatchObject({ submitted: 3, approved: 1, rejected: 1, averageHours: 5 });
  expect(breakdown).toEqual({
    byLevel: [
      { level: 'STANDARD', submitted: 2, approved: 1, rejected: 0, averageHours: 6.5 },
      { level: 'ENHANCED', submitted: 1, approved: 0, rejected: 1, averageHours: 3.5 },
    ],
    byReason: [{ reason: 'SELFIE_MISMATCH', rejected: 1 }],
  });
});

import { v7 } from 'uuid';
import { matureWhenDue } from '../../../../activities/investment/participation/mature-participation';
import { requestWithdrawal } from '../../../../activities/investment/withdrawal/request-withdrawal';
import { payoutProviders } from '../../../../activities/providers/payouts';
import { policyFrom } from '../../../../db/policy/config';
import { firstRow } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { providersConfigOf } from '../../../support/worlds/providers';
import { reporting } from './reporting';

/** The clock of a process that ends a participation is behind that of a report which was recorded before. */
const own = ownDatabase();
const policy = policyFrom({});
const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

async function earned(options: { autoReinvest?: boolean } = {}) {
  const at = new Date();
  const { id: userId } = await make.user(own.db, { kycLevel: 'STANDARD' });
  const { id: strategyId, providerCode } = await make.strategy(own.db, { lockDays: 0 });
  const externalId = v7();
  const { id: participationId } = await make.participation(own.db, {
    ...{ status: 'ACTIVE', userId, strategyId, externalId, durationDays: 30, ...options },
    at: new Date(at.getTime() - 30 * DAY_MS),
  });
  const provider = reporting(own.db, providerCode);
  const profit = await provider.store({
    type: 'profit.distributed',
    data: { investmentExternalId: externalId, externalId: v7(), amount: 50 },
  });
  await provider.applyAt(profit, new Date(at.getTime() + SECOND_MS));
  return { at: at.toISOString(), userId, participationId, externalId, provider };
}

const paidOut = (participationId: string) =>
  firstRow(
    own.db,
    `SELECT p.status, p.earned_minor AS earned, sum(t.amount_minor) FILTER (WHERE t.type = 'WITHDRAWAL')::int AS paid,
       bool_and(t.created_at <= p.ended_at) AS before
     FROM participations p JOIN investment_transactions t ON t.participation_id = p.id WHERE p.id = $1 GROUP BY p.id`,
    [participationId],
  );

test('a maturity pays a profit once that was recorded before it with a later time', async () => {
  const { at, userId, participationId, externalId, provider } = await earned();
  await matureWhenDue(own.db, policy, { participationId, userId, at });
  const paid = { status: 'MATURED', earned: 50_00, paid: 1_050_00, before: true };
  expect(await paidOut(participationId)).toEqual(paid);
  const report = await provider.store({
    type: 'investment.withdrawn',
    timestamp: new Date(Date.now() + 10 * SECOND_MS).toISOString(),
    data: { investmentExternalId: externalId, externalId: v7(), amount: 1_050 },
  });
  const applied = await provider.applyAt(report, new Date(Date.now() + 10 * SECOND_MS));
  expect(applied).toMatchObject({ outcome: 'APPLIED' });
  expect(applied).not.toMatchObject({ toDecide: expect.any(String) as string });
});

test('so does a withdrawal', async () => {
  const { at, userId, participationId } = await earned();
  const payouts = payoutProviders(providersConfigOf(), own.db);
  await requestWithdrawal(
    { db: own.db, payouts, policy },
    {
      ...{ participationId, userId, acceptPenalty: false, at },
      ...{ withdrawalId: v7(), method: 'BALANCE', detailsNoteId: null },
    },
  );
  const paid = { status: 'WITHDRAWN', earned: 50_00, paid: 1_050_00, before: true };
  expect(await paidOut(participationId)).toEqual(paid);
});

test('the next term begins when the one before it has ended', async () => {
  const { at, userId, participationId } = await earned({ autoReinvest: true });
  await matureWhenDue(own.db, policy, { participationId, userId, at });
  expect(
    await firstRow(
      own.db,
      `SELECT n.started_at >= p.ended_at AS after FROM participations p JOIN participations n ON n.reinvested_from_id = p.id
       WHERE p.id = $1`,
      [participationId],
    ),
  ).toEqual({ after: true });
});

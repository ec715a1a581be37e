import type { Transaction } from 'sequelize';
import { v7 } from 'uuid';
import { brokenInvariants } from '../../../../db/invariants/broken.reads';
import { invariantList } from '../../../../db/invariants/invariant-list';
import { execute, firstRow } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { eventually } from '../../../support/checks/eventually';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();
const empty = v7();

/** An offence against another rule, which must be found whatever becomes of the rule in question. */
beforeAll(() =>
  inTransaction(own.owner, async (tx) => {
    await execute(tx, 'SET LOCAL session_replication_role = replica');
    await execute(
      tx,
      `INSERT INTO ledger_transfers (id, kind, subject_id, created_at) VALUES ($1, 'seed-wallet', 'empty', now())`,
      [empty],
    );
  }),
);

const unchecked = (invariant: string, state: string) => ({
  ...{ invariant, entity: invariant },
  detail: `unchecked: the database answers ${state}`,
});

test('the body of a report that PostgreSQL cannot read leaves no rule unchecked', async () => {
  const unreadable = [
    JSON.stringify({ data: { key: 'a', paymentId: 'b', words: '\u0000' } }),
    '{"data":{"externalId":"a","investmentExternalId":"b","amount":1e999999,"penalty":"much"}}',
    '{"data":{}}',
    '{',
  ];
  const types = {
    PAYMENT: ['payment.paid', 'payment.charged_back', 'checkout.session.completed', 'charge.dispute.closed'],
    INVESTMENT: ['investment.updated', 'profit.distributed'],
  };
  for (const body of unreadable)
    for (const [kind, ofKind] of Object.entries(types))
      for (const type of ofKind)
        await execute(
          own.db,
          `INSERT INTO webhook_events (id, kind, provider, external_event_id, type, body, body_hash, status, received_at)
           VALUES ($1, $2, 'sandbox', $5, $3, $4, '', 'PROCESSED', now())`,
          [v7(), kind, type, body, v7()],
        );
  const broken = await brokenInvariants(own.db);
  await execute(own.owner, 'DELETE FROM webhook_events');
  expect(broken.filter(({ detail }) => detail.startsWith('unchecked'))).toEqual([]);
  const lost = broken.filter(({ invariant }) => invariant === 'provider-events.have-their-effect');
  expect(lost).toHaveLength(unreadable.length);
  expect(broken.filter((one) => !lost.includes(one))).toEqual([expect.objectContaining({ entity: empty })]);
});

describe('a rule that takes too long', () => {
  let transaction: Transaction;
  beforeEach(async () => {
    transaction = await own.owner.sequelize.transaction();
    await execute({ ...own.owner, transaction }, 'LOCK TABLE coupons IN ACCESS EXCLUSIVE MODE');
  });
  afterEach(() => transaction.rollback());

  test('is named, and the others are checked', async () => {
    const broken = await brokenInvariants(own.db, { mostMs: 2_000 });
    const readCoupons = invariantList.filter(
      (rule) => 'sql' in rule && /\b(FROM|JOIN) coupons\b/.test(rule.sql),
    );
    expect(readCoupons).not.toEqual([]);
    for (const { id } of readCoupons) expect(broken).toContainEqual(unchecked(id, '57014'));
    expect(broken).toContainEqual(expect.objectContaining({ entity: empty }));
  });

  test('is no finding when the whole check is cancelled meanwhile', async () => {
    const cancelled = new AbortController();
    const ended = brokenInvariants(own.db, { signal: cancelled.signal }).then(
      () => 'ended',
      () => 'cancelled',
    );
    await eventually(async () => {
      const waiting = await firstRow(
        own.owner,
        `SELECT 1 FROM pg_locks WHERE relation = 'coupons'::regclass AND NOT granted`,
      );
      expect(waiting).not.toBeNull();
    });
    cancelled.abort();
    expect(await ended).toBe('cancelled');
  });
});

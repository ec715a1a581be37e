import { v7 } from 'uuid';
import {
  lockStrategyOffer,
  releaseCapacity,
  reserveCapacity,
} from '../../../../db/investment/strategy/strategy-capacity.transitions';
import { firstRow, type Tx } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { make } from '../../../support/builders/make';
import { eventually } from '../../../support/checks/eventually';
import { violations } from '../../../support/checks/violations';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';
import { refusalOf } from '../products/product-requests';
import { auditsOf, keptStrategy } from './strategy-requests';

let at: AdminWorld;
beforeAll(async () => {
  at = await startAdminWorld({ worker: false });
});
afterAll(() => at.world.teardown());

const change = (id: string, fields: object) => at.ask('patch', `/admin/strategies/${id}`, fields);

describe('PATCH /admin/strategies/:id', () => {
  test('200: each field that is sent; the others, the slug too, stay', async () => {
    const { id, slug } = await make.strategy(at.world.db);
    const other = await make.strategyCategory(at.world.db);
    const before = await keptStrategy(at.world.db, id);
    const changes = {
      ...{ name: 'Renamed', description: 'New.', shortDescription: 'N.', categoryId: other.id },
      ...{ returnRate: { max: 12.34 }, riskDisclosure: 'Careful.' },
      investment: { maxAmount: null, totalCapacity: 9_999.99 },
      terms: { earlyWithdrawalPenalty: null, compoundingAvailable: false },
      ...{ commissionPercentage: 0, careerPointsPercentage: 0.5, status: 'PAUSED' },
    };
    const answer = await change(slug, changes);
    expect([answer.status, answer.body.data]).toEqual([
      200,
      {
        ...{ id, name: 'Renamed', status: 'PAUSED' },
        ...{ updatedAt: expect.any(String), updatedBy: at.admin.id },
      },
    ]);
    expect(await keptStrategy(at.world.db, id)).toEqual({
      ...before,
      ...{ name: 'Renamed', description: 'New.', shortDescription: 'N.', categoryId: other.id },
      ...{ returnMaxBp: 1_234, riskDisclosure: 'Careful.', maxMinor: null, totalCapacityMinor: 9_999_99 },
      ...{ earlyWithdrawalPenaltyBp: null, compoundingAvailable: false, commissionBp: 0 },
      ...{ careerPointsBp: 50, status: 'PAUSED' },
      updatedAt: new Date(answer.body.data.updatedAt as string),
    });
    const [record, ...more] = await auditsOf(at.world.db, id);
    expect(more).toEqual([]);
    expect(record).toMatchObject({ action: 'strategy.update', actorId: at.admin.id });
    expect(Object.keys(record!.next!).sort()).toEqual(Object.keys(record!.previous!).sort());
    expect(record).toMatchObject({
      previous: { status: 'ACTIVE', name: before['name'] },
      next: { status: 'PAUSED', name: 'Renamed' },
    });
    expect(record!.next).not.toHaveProperty('minDays');

    const again = await change(id, changes);
    expect(again.body.data.updatedAt).toBe(answer.body.data.updatedAt);
    expect(await auditsOf(at.world.db, id)).toHaveLength(1);
  });

  test('visitors see it at once', async () => {
    const { id, slug } = await make.strategy(at.world.db);
    const shown = async () =>
      (await at.ask('get', `/investment/strategies/${slug}`, undefined, null)).body.data.name;
    const listed = async () =>
      (await at.ask('get', '/investment/strategies', undefined, null)).body.data.strategies[0].name;
    await Promise.all([shown(), listed()]);
    await change(id, { name: 'At once' });
    expect([await shown(), await listed()]).toEqual(['At once', 'At once']);
  });

  test('two changes at once both take effect', async () => {
    const { id } = await make.strategy(at.world.db);
    await Promise.all([change(id, { name: 'Both' }), change(id, { status: 'PAUSED' })]);
    expect(await keptStrategy(at.world.db, id)).toMatchObject({ name: 'Both', status: 'PAUSED' });
  });

  test('participations keep the terms that they began with', async () => {
    const { id } = await make.strategy(at.world.db);
    const { id: running } = await make.participation(at.world.db, { strategyId: id, status: 'ACTIVE' });
    const terms = () => firstRow(at.world.db, 'SELECT * FROM participations WHERE id = $1', [running]);
    const before = await terms();
    expect((await change(id, { returnRate: { expected: 6.5 }, commissionPercentage: 1 })).status).toBe(200);
    expect(await terms()).toEqual(before);
  });

  test.each([
    ['returnRate.expected', { returnRate: { expected: 10.01 } }],
    ['returnRate.expected', { returnRate: { max: 7 } }],
    ['returnRate.max', { returnRate: { min: 11 } }],
    ['returnRate.min', { returnRate: { min: 0.001 } }],
    ['investment.maxAmount', { investment: { minAmount: 50_000.01 } }],
    ['investment.maxAmount', { investment: { maxAmount: 99 } }],
    ['terms.earlyWithdrawalPenalty', { terms: { earlyWithdrawalPenalty: -1 } }],
    ['status', { status: 'GONE' }],
    ['name', { name: null }],
  ])('400 VALIDATION_ERROR: %s against what stays, %p', async (field, fields) => {
    const { id } = await make.strategy(at.world.db);
    const refused = { status: 400, code: 'VALIDATION_ERROR', fields: [field] };
    expect(refusalOf(await change(id, fields))).toEqual(refused);
    expect(await auditsOf(at.world.db, id)).toEqual([]);
  });

  test('400 VALIDATION_ERROR: an unknown category', async () => {
    const { id } = await make.strategy(at.world.db);
    const { error } = (await change(id, { categoryId: v7() })).body;
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', reason: 'UNKNOWN_CATEGORY' });
  });

  test('404 STRATEGY_NOT_FOUND', async () => {
    for (const id of [v7(), 'nothing-has-this'])
      expect(outcomeOf(await change(id, { name: 'x' }))).toBe('404 STRATEGY_NOT_FOUND');
  });
});

describe('the capacity', () => {
  test('may be lowered to what participations take, and not below', async () => {
    const { id } = await make.strategy(at.world.db);
    await make.participation(at.world.db, { strategyId: id, amountMinor: 600_00, status: 'ACTIVE' });
    await make.participation(at.world.db, { strategyId: id, amountMinor: 400_00 });
    const refused = await change(id, { name: 'Not this', investment: { totalCapacity: 999.99 } });
    expect(refused.body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      reason: 'CAPACITY_BELOW_RESERVED',
      details: { 'investment.totalCapacity': [expect.any(String)] },
    });
    expect((await keptStrategy(at.world.db, id))['name']).not.toBe('Not this');
    expect((await change(id, { investment: { totalCapacity: 1_000 } })).status).toBe(200);
    const shown = await at.ask('get', `/investment/strategies/${id}`, undefined, null);
    expect(shown.body.data.investment).toMatchObject({ availableCapacity: 0, totalCapacity: 1_000 });
    expect(await inTransaction(at.world.db, (tx) => reserveCapacity(tx, id, 1))).toBe(false);
  });

  test('lowered at the same moment as somebody takes part: what was reserved always fits', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await make.strategy(at.world.db, { totalCapacityMinor: 1_000_00 });
      const [lowered, reserved] = await Promise.all([
        change(id, { investment: { totalCapacity: 500 } }),
        inTransaction(at.world.db, (tx) => reserveCapacity(tx, id, 700_00)),
      ]);
      expect([outcomeOf(lowered), reserved]).not.toEqual(['200', true]);
      expect(lowered.status === 200 || reserved).toBe(true);
      if (reserved) await inTransaction(at.world.db, (tx) => releaseCapacity(tx, id, 700_00));
    }
  });
});

describe('closing', () => {
  test.each(['ACTIVE', 'PENDING_PAYMENT'] as const)(
    '400 HAS_ACTIVE_PARTICIPATIONS with one that is %s; pausing is not refused',
    async (status) => {
      const { id: strategyId } = await make.strategy(at.world.db);
      await make.participation(at.world.db, { strategyId, status });
      expect(outcomeOf(await change(strategyId, { status: 'CLOSED', name: 'x' }))).toBe(
        '400 HAS_ACTIVE_PARTICIPATIONS',
      );
      expect(await auditsOf(at.world.db, strategyId)).toEqual([]);
      expect((await change(strategyId, { status: 'PAUSED' })).status).toBe(200);
    },
  );

  test('a strategy without participations is closed, and opened again', async () => {
    const { id } = await make.strategy(at.world.db);
    for (const status of ['CLOSED', 'ACTIVE'])
      expect((await change(id, { status })).body.data.status).toBe(status);
  });

  /** Opens a participation as its process does; false if the strategy is not ACTIVE. */
  const opens = async (tx: Tx, strategyId: string): Promise<boolean> => {
    const offer = await lockStrategyOffer(tx, strategyId);
    if (offer?.status !== 'ACTIVE') return false;
    await make.participation(tx, { strategyId });
    return true;
  };

  test('at the same moment as a participation is opened: one of them wins', async () => {
    for (let round = 0; round < 20; round++) {
      const { id } = await make.strategy(at.world.db);
      const close = () => change(id, { status: 'CLOSED' });
      const open = () => inTransaction(at.world.db, (tx) => opens(tx, id));
      const [closed, opened] =
        round % 2 === 0
          ? await Promise.all([close(), open()])
          : await Promise.all([open(), close()]).then(([first, second]) => [second, first] as const);
      expect(outcomeOf(closed)).toBe(opened ? '400 HAS_ACTIVE_PARTICIPATIONS' : '200');
    }
  });

  /** The number of statements that wait for a lock. */
  const waiting = async (): Promise<number> =>
    (await firstRow<{ n: number }>(
      at.world.db,
      `SELECT count(*)::int AS n FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    ))!.n;

  test('waits for one that is being opened, and sees it', async () => {
    const { id } = await make.strategy(at.world.db);
    const closing = await inTransaction(at.world.db, async (tx) => {
      expect(await opens(tx, id)).toBe(true);
      const asked = change(id, { status: 'CLOSED' });
      await eventually(async () => expect(await waiting()).toBe(1));
      return { asked };
    });
    expect(outcomeOf(await closing.asked)).toBe('400 HAS_ACTIVE_PARTICIPATIONS');
    expect(await violations(at.world.db)).toEqual([]);
  });
});

import { v7 } from 'uuid';
import { countPool } from '../../../../activities/partners/pool/count-pool';
import { rows } from '../../../../db/sql/query';
import {
  poolPeriodAt,
  poolPeriodNamed,
  type PoolPeriod,
} from '../../../../workflows/partners/pool/pool-period.rules';
import { make } from '../../../support/builders/make';
import { partnerSale } from '../../../support/builders/make/partners/partner-sales';
import { poolRun, qualifiedLeader, type PoolRun } from '../../../support/builders/make/partners/pool-runs';
import { signIn } from '../../../support/builders/sign-in';
import { ownWorld } from '../../../support/worlds/world';
import { readFile } from '../products/file/files';

let token: string;
let clerk: { id: string };
let older: PoolRun;
let newer: PoolRun;
const world = ownWorld({ worker: false });
beforeAll(async () => {
  const admin = await make.admin(world.db);
  clerk = admin;
  token = await signIn(world, admin);
  older = await poolRun(world.db);
  newer = await poolRun(world.db);
});

const get = (path: string) => world.http.get(`/api/v1/admin/pools${path}`).auth(token, { type: 'bearer' });
const preview = (body: object) =>
  world.http.post('/api/v1/admin/pools/preview').auth(token, { type: 'bearer' }).send(body);

describe('GET /admin/pools', () => {
  it('answers runs, the latest period first, by kind and in pages', async () => {
    const { status, body } = await get('');
    expect(status).toBe(200);
    expect(body.data.pools.map(({ id }: { id: string }) => id)).toEqual([newer.id, older.id]);
    expect(body.data.pools[0]).toEqual({
      ...{ id: newer.id, kind: 'WEEKLY', period: newer.period.period, status: 'COMPLETED' },
      ...{ startsAt: newer.period.startsAt.toISOString(), endsAt: newer.period.endsAt.toISOString() },
      ...{ programmeVersion: 1, base: 3_500, rate: 1, pool: 35, minimumVolume: 1_000, denominator: '350000' },
      ...{ participants: 1, distributed: 35, currency: 'USD' },
      ...{ countedAt: expect.any(String), completedAt: expect.any(String) },
    });
    expect((await get('?kind=MONTHLY')).body.data.pools).toEqual([]);
    const second = await get('?kind=WEEKLY&pageSize=1&page=2');
    expect(second.body.data.pools.map(({ id }: { id: string }) => id)).toEqual([older.id]);
    expect(second.body.meta.pagination).toMatchObject({ total: 2, totalPages: 2 });
  });

  it('refuses an unknown kind: VALIDATION_ERROR', async () => {
    const { status, body } = await get('?kind=DAILY');
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('GET /admin/pools/:id', () => {
  it('answers every figure by which a share can be checked, of those without a share too', async () => {
    const { status, body } = await get(`/${older.id}`);
    expect(status).toBe(200);
    expect(body.data.run.id).toBe(older.id);
    const [share, none] = body.data.shares;
    expect(share).toEqual({
      partner: {
        ...{ id: older.leader.id, userId: older.leader.userId, referralCode: older.leader.referralCode },
        ...{ name: expect.any(String), number: expect.any(Number) },
      },
      ...{ rank: 'LEADER', weight: 1, legs: 2, volume: 3_500, largestLeg: 1_750, qualifiedVolume: 3_500 },
      ...{ takesPart: true, numerator: '350000', amount: 35 },
      ...{ commissionId: expect.any(String), paidAt: expect.any(String) },
    });
    expect(none).toMatchObject({
      takesPart: false,
      numerator: '0',
      amount: 0,
      commissionId: null,
      paidAt: null,
    });
    expect(body.data.lateSales).toBe(0);
    expect(body.meta.pagination).toMatchObject({ total: 2 });
    const paged = await get(`/${older.id}?page=2&pageSize=1`);
    expect(paged.body.data.shares).toEqual([none]);
  });

  it('answers the sales of the period that came after the count', async () => {
    const { id: userId } = await make.user(world.db);
    await partnerSale(world.db, { userId, baseMinor: 12_34, at: newer.period.startsAt });
    const { body } = await get(`/${newer.id}`);
    expect(body.data).toMatchObject({ lateSales: 12.34, run: { base: 3_500 } });
    expect((await get(`/${older.id}`)).body.data.lateSales).toBe(0);
  });

  it.each(['', '/export'])('answers 404 POOL_NOT_FOUND for no run: %s', async (path) => {
    const { status, body } = await get(`/${v7()}${path}`);
    expect([status, body.error.code]).toEqual([404, 'POOL_NOT_FOUND']);
  });
});

describe('GET /admin/pools/:id/export', () => {
  it('streams a row for each partner with the figures of its share', async () => {
    const answer = await get(`/${older.id}/export`);
    expect(answer.headers['content-type']).toContain('text/csv');
    expect(answer.headers['content-disposition']).toContain(`pool-weekly-${older.period.period}.csv`);
    const [first, second] = readFile(answer.text);
    expect(first).toMatchObject({
      ...{ partnerId: older.leader.id, volume: '3500', numerator: '350000', denominator: '350000' },
      ...{ pool: '35', amount: '35', takesPart: 'true' },
    });
    expect(second).toMatchObject({ takesPart: 'false' });
  });

  it('is recorded, with who exported what', async () => {
    await get(`/${newer.id}/export`);
    const records = await rows(
      world.db,
      `SELECT actor_id AS actor, next FROM audit_records WHERE action = 'pool.export' AND entity_id = $1`,
      [newer.id],
    );
    expect(records).toEqual([{ actor: clerk.id, next: { kind: 'WEEKLY', period: newer.period.period } }]);
  });
});

describe('POST /admin/pools/preview', () => {
  it('computes what a run would, of a closed period and of the running one, and writes nothing', async () => {
    const closed = poolPeriodNamed('WEEKLY', '2026-W10') as PoolPeriod;
    const running = poolPeriodAt('MONTHLY', new Date());
    for (const [period, base, pool] of [
      // With the 12.34 that came too late for another week.
      [closed, 3_512.34, 35.12],
      [running, 3_500, 70],
    ] as const) {
      const leader = await qualifiedLeader(world.db, period);
      const before = await rows(world.db, 'SELECT count(*) FROM pool_runs');
      const { status, body } = await preview({ kind: period.kind, period: period.period });
      expect(status).toBe(200);
      const minimum = period.kind === 'WEEKLY' ? 1_000 : 5_000;
      expect(body.data.run).toMatchObject({ base, pool, minimumVolume: minimum, period: period.period });
      expect(body.data.run).toMatchObject({ id: null, status: null, countedAt: null, completedAt: null });
      expect(body.data.lateSales).toBe(0);
      expect(body.data.shares).toHaveLength(1);
      expect(body.data.shares[0]).toMatchObject({
        ...{ partner: { id: leader.id }, qualifiedVolume: 3_500, commissionId: null, paidAt: null },
        ...(period.kind === 'WEEKLY' ? { takesPart: true, amount: pool } : { takesPart: false, amount: 0 }),
      });
      expect(await rows(world.db, 'SELECT count(*) FROM pool_runs')).toEqual(before);
    }
  });

  it('computes of a period that was run the figures of its run, without what came since', async () => {
    const [before, week, after] = ['2026-W20', '2026-W21', '2026-W22'].map(
      (name) => poolPeriodNamed('WEEKLY', name) as PoolPeriod,
    );
    const count = (of: PoolPeriod) => countPool(world.db, new AbortController().signal, of);
    const { id: userId } = await make.user(world.db);
    const sell = (of: PoolPeriod, baseMinor: number) =>
      partnerSale(world.db, { userId, baseMinor, at: of.startsAt });
    await count(before!);
    // Late for the run before, so that the next one has it.
    await sell(before!, 70_00);
    await qualifiedLeader(world.db, week!);
    const { runId } = (await count(week!))!;
    await sell(before!, 800_00);
    await sell(week!, 50_00);
    await count(after!);
    const { run, shares, ...others } = (await get(`/${runId}`)).body.data;
    expect([run.base, run.participants, others.lateSales]).toEqual([expect.any(Number), 1, 50]);
    const nothing = { id: null, status: null, countedAt: null, completedAt: null };
    const { status, body } = await preview({ kind: 'WEEKLY', period: week!.period });
    expect([status, body.data]).toEqual([
      200,
      {
        run: { ...run, ...nothing },
        shares: shares.map((share: object) => ({ ...share, commissionId: null, paidAt: null })),
        ...others,
      },
    ]);
  });

  it('shows what GET /admin/pools/:id shows, field by field', async () => {
    const shown = (await get(`/${older.id}`)).body.data;
    const previewed = (await preview({ kind: 'WEEKLY', period: older.period.period })).body.data;
    const keysOf = (data: { run: object; shares: { partner: object }[] }) => ({
      keys: Object.keys(data),
      run: Object.keys(data.run),
      share: Object.keys(data.shares[0]!),
      partner: Object.keys(data.shares[0]!.partner),
    });
    expect(keysOf({ ...previewed, shares: shown.shares })).toEqual(keysOf(shown));
  });

  it.each([
    [{ kind: 'WEEKLY', period: '2026-11' }, 'period'],
    [{ kind: 'WEEKLY', period: '2025-W53' }, 'period'],
    [{ kind: 'MONTHLY', period: '2999-12' }, 'period'],
    [{ kind: 'MONTHLY', period: '' }, 'period'],
    [{ kind: 'DAILY', period: '2026-11' }, 'kind'],
    [{ kind: 'MONTHLY' }, 'period'],
  ])('refuses %p: VALIDATION_ERROR', async (body, field) => {
    const answer = await preview(body);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(Object.keys(answer.body.error.details)).toEqual([field]);
  });
});

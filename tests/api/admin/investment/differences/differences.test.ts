import { randomUUID } from 'node:crypto';
import { investmentFigures } from '../../../../../db/administration/operations/investment-figures.reads';
import { execute, rows } from '../../../../../db/sql/query';
import { inTransaction } from '../../../../../db/sql/transaction';
import type { JobResult } from '../../../../../workflows/kit/job/job.contract';
import { investmentReconciliation } from '../../../../../workflows/investment/reconciliation/investment-reconciliation.job';
import { reporting } from '../../../../activities/investment/provider-event/reporting';
import { make } from '../../../../support/builders/make';
import { doJob } from '../../../../support/worlds/run-job';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../../admin-world';

let desk: AdminWorld;
beforeAll(async () => {
  desk = await startAdminWorld();
});
afterAll(() => desk.world.teardown());

const list = async (query = '') => (await desk.ask('get', `/admin/investment/differences${query}`)).body;

/** Compares as the schedule does, with all reports old enough. */
async function compare(): Promise<JobResult> {
  const { db, temporal } = desk.world;
  await execute(
    db,
    `UPDATE webhook_events SET received_at = received_at - interval '2 hours' WHERE reconciled_at IS NULL`,
  );
  return doJob(temporal, investmentReconciliation);
}

/** A provider that has reported another profit than was recorded, and one that it never confirmed. */
async function differing() {
  const { db } = desk.world;
  const { code } = await make.provider(db);
  const { id: strategyId, strategyCode } = await make.strategy(db, { providerCode: code });
  const { id: userId } = await make.user(db, { kycLevel: 'STANDARD' });
  await make.signedIn(db, code, userId);
  const { report } = reporting(db, code);
  const startDate = new Date().toISOString();
  await report({
    type: 'investment.created',
    data: { externalId: 'inv', userId, strategyCode, amount: 1_000, currency: 'USD', startDate },
  });
  const profit = (amount: number) =>
    report({ type: 'profit.distributed', data: { externalId: 'p', investmentExternalId: 'inv', amount } });
  await profit(10);
  await profit(11.5);
  const at = new Date(Date.now() - 5 * 86_400_000);
  const silent = await make.participation(db, {
    userId,
    strategyId,
    status: 'ACTIVE',
    at,
    amountMinor: 250_00,
  });
  return { code, silent, profit };
}

test('lists open differences with both amounts, filters them, and shows resolved ones on demand', async () => {
  expect(await compare()).toEqual({ done: 0, words: 'What providers reported is what is held.' });
  const { code, silent, profit } = await differing();
  expect(await compare()).toEqual({
    done: 2,
    words: '**2 differences.** GET /admin/investment/differences lists them.',
  });
  const { data, meta } = await list(`?provider=${code}`);
  expect(meta.pagination).toMatchObject({ total: 2 });
  expect(data.differences).toEqual(
    expect.arrayContaining([
      {
        ...{
          id: expect.any(String),
          kind: 'PROFITS_DIFFER',
          providerCode: code,
          investmentExternalId: 'inv',
        },
        participation: { id: expect.any(String), number: expect.stringMatching(/^INV-/) },
        ...{ held: 10, reported: 11.5, currency: 'USD', resolvedAt: null, state: 'OPEN', accepted: null },
        ...{ foundAt: expect.any(String), lastSeenAt: expect.any(String) },
      },
      expect.objectContaining({
        ...{ kind: 'NOT_REPORTED', participation: { id: silent.id, number: silent.number } },
        ...{ held: 250, reported: null, investmentExternalId: null },
      }),
    ]),
  );
  const kinds = async (query: string) =>
    ((await list(`?provider=${code}&${query}`)).data.differences as { kind: string }[]).map(
      ({ kind }) => kind,
    );
  expect(await kinds('kind=NOT_REPORTED')).toEqual(['NOT_REPORTED']);
  expect(await kinds('state=RESOLVED')).toEqual([]);
  expect(await kinds('pageSize=1&page=3')).toEqual([]);

  await profit(10);
  await compare();
  expect(await kinds('state=OPEN')).toEqual(['NOT_REPORTED']);
  expect(await kinds('state=RESOLVED')).toEqual(['PROFITS_DIFFER']);
  expect(await kinds('state=ALL')).toHaveLength(2);
  expect((await list('?provider=nobody')).data).toEqual({ differences: [], providers: [] });
});

test('says what each provider owes, and how the last push of verifications to it went', async () => {
  const { db } = desk.world;
  const { code } = await make.provider(db, { apiBase: null });
  const { strategyCode } = await make.strategy(db, { providerCode: code });
  const { id: userId } = await make.user(db, { kycLevel: 'STANDARD' });
  await make.signedIn(db, code, userId);
  const { report } = reporting(db, code);
  const startDate = new Date().toISOString();
  const data = { externalId: 'inv', userId, strategyCode, amount: 300.5, currency: 'USD', startDate };
  await report({ type: 'investment.created', data });
  const paid = { externalId: 'w', investmentExternalId: 'inv', amount: 300.5 };
  await report({ type: 'investment.withdrawn', data: paid });
  const before = (await list(`?provider=${code}`)).data.providers;
  expect(before).toEqual([{ code, owes: [], kycSync: null }]);
  await compare();
  await execute(
    db,
    `INSERT INTO kyc_syncs (provider_code, slot, started_at, ended_at, accepted, refused, problem, next_call_at)
     VALUES ($1, '2026-11-23T06', now(), now(), 3, 100, 'The provider answered 422.', now())`,
    [code],
  );
  expect((await list(`?provider=${code}`)).data.providers).toEqual([
    {
      code,
      owes: [{ currency: 'USD', amount: 300.5, countedAt: expect.any(String) }],
      kycSync: {
        ...{ slot: '2026-11-23T06', startedAt: expect.any(String), endedAt: expect.any(String) },
        ...{ accepted: 3, refused: 100, problem: 'The provider answered 422.', completedAt: null },
      },
    },
  ]);
});

test.each(['?kind=OTHER', '?state=GONE', '?pageSize=101', '?provider='])(
  'VALIDATION_ERROR for %s',
  async (query) => {
    const { status, body } = await desk.ask('get', `/admin/investment/differences${query}`);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  },
);

describe('POST /admin/investment/differences/:id/accept', () => {
  const reason = 'The provider has confirmed that it stays.';
  const accept = (id: string, body: object = { reason }, token?: string | null) =>
    desk.ask('post', `/admin/investment/differences/${id}/accept`, body, token);
  const recordsOf = (id: string) =>
    rows(
      desk.world.db,
      `SELECT actor_id, action, previous, next FROM audit_records WHERE entity_type = 'investment-difference' AND entity_id = $1`,
      [id],
    );

  /** A provider with two open differences. */
  async function open() {
    const { code, profit } = await differing();
    await compare();
    const { differences } = (await list(`?provider=${code}&kind=PROFITS_DIFFER`)).data;
    return { code, profit, difference: differences[0] as { id: string } };
  }

  test('200: it is no longer open and counts no more, and is recorded once however often it is sent', async () => {
    const { code, difference } = await open();
    const { id } = difference;
    const answers = await Promise.all([accept(id), accept(id), accept(id)]);
    const accepted = {
      ...difference,
      state: 'ACCEPTED',
      accepted: { at: expect.any(String), by: desk.admin.id, reason },
    };
    for (const { status, body } of answers) expect([status, body.data]).toEqual([200, accepted]);
    expect((await accept(id, { reason: 'Another one.' })).body.data).toEqual(accepted);
    const listed = async (state: string) =>
      ((await list(`?provider=${code}&state=${state}`)).data.differences as { id: string }[]).map(
        (one) => one.id,
      );
    expect(await listed('ACCEPTED')).toEqual([id]);
    expect(await listed('OPEN')).toHaveLength(1);
    expect(await listed('OPEN')).not.toContain(id);
    expect(await recordsOf(id)).toEqual([
      {
        ...{ actorId: desk.admin.id, action: 'investment-difference.accept', previous: { state: 'OPEN' } },
        next: { state: 'ACCEPTED', kind: 'PROFITS_DIFFER', heldMinor: 10_00, reportedMinor: 11_50, reason },
      },
    ]);
  });

  test('leaves it out of figures, until its amounts change', async () => {
    const { code, difference, profit } = await open();
    const openNow = async () =>
      (await inTransaction(desk.world.db, investmentFigures)).differences.find(
        ({ kind }) => kind === 'PROFITS_DIFFER',
      )!.differences;
    const before = await openNow();
    await accept(difference.id);
    expect(await openNow()).toBe(before - 1);
    await compare();
    expect(await openNow()).toBe(before - 1);
    await profit(13);
    await compare();
    expect(await openNow()).toBe(before);
    expect((await list(`?provider=${code}&kind=PROFITS_DIFFER`)).data.differences).toMatchObject([
      { id: difference.id, state: 'OPEN', accepted: null, reported: 13 },
    ]);
  });

  test('403 FORBIDDEN about a participation of their own; it stays open, and another administrator accepts it', async () => {
    const { db } = desk.world;
    const { code } = await make.provider(db);
    const { id: strategyId } = await make.strategy(db, { providerCode: code });
    const at = new Date(Date.now() - 5 * 86_400_000);
    const mine = { userId: desk.admin.id, strategyId, status: 'ACTIVE', at } as const;
    await make.participation(db, mine);
    await compare();
    const [{ id }] = (await list(`?provider=${code}`)).data.differences as [{ id: string }];
    expect(outcomeOf(await accept(id))).toBe('403 FORBIDDEN');
    expect((await list(`?provider=${code}`)).data.differences).toMatchObject([{ id, state: 'OPEN' }]);
    expect(await recordsOf(id)).toEqual([]);
    expect((await accept(id, { reason }, desk.tokens.superAdmin)).body.data).toMatchObject({
      state: 'ACCEPTED',
    });
  });

  test('200: one that is resolved has nothing to accept', async () => {
    const { difference, profit } = await open();
    await profit(10);
    await compare();
    expect((await accept(difference.id)).body.data).toMatchObject({ state: 'RESOLVED', accepted: null });
    expect(await recordsOf(difference.id)).toEqual([]);
  });

  test.each([{}, { reason: 'ab' }, { reason: '  a  ' }, { reason: 'x'.repeat(501) }, { reason: 3 }])(
    '400 VALIDATION_ERROR for %j',
    async (body) => {
      const answer = await accept(randomUUID(), body);
      expect([outcomeOf(answer), Object.keys(answer.body.error.details as object)]).toEqual([
        '400 VALIDATION_ERROR',
        ['reason'],
      ]);
    },
  );

  test('404 DIFFERENCE_NOT_FOUND for an unknown id, 400 for none, 401 without a token, 403 FORBIDDEN for users', async () => {
    expect(outcomeOf(await accept(randomUUID()))).toBe('404 DIFFERENCE_NOT_FOUND');
    expect(outcomeOf(await accept('1'))).toBe('400 VALIDATION_ERROR');
    expect(outcomeOf(await accept(randomUUID(), { reason }, null))).toBe('401 UNAUTHORIZED');
    expect(outcomeOf(await accept(randomUUID(), { reason }, desk.tokens.user))).toBe('403 FORBIDDEN');
  });
});

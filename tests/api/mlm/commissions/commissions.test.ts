import { v7 } from 'uuid';
import { listedCommissions } from '../../../../db/partners/commission-list/commission-list.reads';
import { earnedPeriods } from '../../../../db/partners/earnings/earnings.reads';
import { MOST_COUNTED } from '../../../../db/partners/most-counted';
import { poolPeriodAt } from '../../../../workflows/partners/pool/pool-period.rules';
import { make } from '../../../support/builders/make';
import { poolRun } from '../../../support/builders/make/partners/pool-runs';
import { signIn } from '../../../support/builders/sign-in';
import { ownCheckedWorld } from '../../../support/worlds/world';
import { readFile } from '../../admin/products/file/files';
import { outcomeOf } from '../../admin/admin-world';
import { partnerPerson } from '../partner-person';

const world = ownCheckedWorld({ worker: false });

test('who is no partner: NOT_A_PARTNER everywhere', async () => {
  const token = await signIn(world, await make.user(world.db));
  const paths = [
    ...['', '/summary', '/history', '/export', `/${v7()}/explain`].map((path) => `/commissions${path}`),
    ...[
      '/statements/2026-11',
      '/statements/2026-11/export',
      '/ranks/current',
      '/ranks/progress',
      '/ranks/history',
    ],
  ];
  for (const path of paths) {
    const answer = await world.http.get(`/api/v1/mlm${path}`).auth(token, { type: 'bearer' });
    expect([path, outcomeOf(answer)]).toEqual([path, '403 NOT_A_PARTNER']);
  }
});

test('GET /mlm/commissions answers every field, newest first, and own ones only', async () => {
  const sponsor = await make.partner(world.db);
  const me = await partnerPerson(world);
  await make.commission(world.db);
  const old = new Date('2026-03-31T23:59:59.500Z');
  const first = await make.commission(world.db, {
    ...{
      partnerId: me.partnerId,
      type: 2,
      at: old,
      sourcePartnerId: sponsor.id,
      points: 1_234,
      rateBp: 1_000,
    },
  });
  const run = await poolRun(world.db, me);
  const { status, body } = await me.get('/commissions');
  expect(status).toBe(200);
  const [pool] = body.data.commissions as { id: string }[];
  expect(body.data.commissions.map(({ id }: { id: string }) => id)).toEqual([pool!.id, first.id]);
  expect(body.meta.pagination).toMatchObject({ total: 2 });
  expect(body.data.commissions[1]).toEqual({
    id: first.id,
    partner: { id: me.partnerId, name: 'Ada Lovelace', referralCode: me.referralCode },
    type: 2,
    sourceType: 'ORDER',
    sourceId: first.sourceId,
    sourcePartner: { id: sponsor.id, name: 'Ada L.' },
    levelDepth: 2,
    grossAmount: 2,
    netAmount: 2,
    careerPoints: 12.34,
    currency: 'USD',
    status: 'PENDING',
    periodId: null,
    maturesAt: '2026-04-30T23:59:59.500Z',
    reversalOf: null,
    processedAt: null,
    approvedBy: null,
    createdAt: old.toISOString(),
  });
  expect(pool).toMatchObject({
    type: 7,
    levelDepth: null,
    sourceId: run.id,
    periodId: `weekly:${run.period.period}`,
    netAmount: 35,
  });
  const found = async (query: string) => {
    const { body: answer } = await me.get(`/commissions?${query}`);
    return answer.data.commissions.map(({ id }: { id: string }) => id) as string[];
  };
  expect(await found('type=7')).toEqual([pool!.id]);
  expect(await found('status=PENDING')).toEqual([first.id]);
  expect(await found('sourceType=ORDER')).toEqual([first.id]);
  expect(await found('dateTo=2026-03-31')).toEqual([first.id]);
  expect(await found('dateFrom=2026-04-01')).toEqual([pool!.id]);
  expect(await found('pageSize=1&page=2')).toEqual([first.id]);
});

test.each(['status=OPEN', 'type=4', 'type=x', 'sourceType=ALL', 'dateFrom=now', 'pageSize=101'])(
  'GET /mlm/commissions?%s: VALIDATION_ERROR',
  async (query) => {
    const me = await partnerPerson(world);
    const [field] = query.split('=');
    const answer = await me.get(`/commissions?${query}`);
    expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
    expect(Object.keys(answer.body.error.details as object)).toEqual([field]);
  },
);

test('GET /mlm/commissions/summary adds up by status and by type', async () => {
  const me = await partnerPerson(world);
  const of = { partnerId: me.partnerId };
  const sold = await make.commission(world.db, { ...of, grossMinor: 1_000 });
  await make.commission(world.db, { ...of, sourceId: sold.sourceId, reversalOf: sold.id, grossMinor: -250 });
  await make.commission(world.db, { ...of, type: 3, grossMinor: 300, status: 'HELD' });
  await make.commission(world.db, { ...of, type: 8, grossMinor: 5_000, status: 'APPROVED' });
  await make.commission(world.db, { ...of, type: 8, level: 3, grossMinor: 70, status: 'PAID' });
  await make.commission(world.db, { ...of, grossMinor: 9_999, status: 'REVERSED' });
  const { body } = await me.get('/commissions/summary');
  expect(body.data).toMatchObject({ pending: 10.5, available: 50, paid: 0.7, earned: 61.2, currency: 'USD' });
  expect(body.data.byStatus).toEqual([
    { status: 'PENDING', count: 2, amount: 7.5 },
    { status: 'APPROVED', count: 1, amount: 50 },
    { status: 'HELD', count: 1, amount: 3 },
    { status: 'PAID', count: 1, amount: 0.7 },
    { status: 'REVERSED', count: 1, amount: 99.99 },
  ]);
  const types = (body.data.byType as { type: number; count: number; amount: number }[]).filter(
    ({ count }) => count > 0,
  );
  expect(types).toEqual([
    { type: 1, count: 2, amount: 7.5 },
    { type: 3, count: 1, amount: 3 },
    { type: 8, count: 2, amount: 50.7 },
  ]);
});

test('GET /mlm/commissions/history by weeks: around New Year they are those of ISO 8601', async () => {
  const me = await partnerPerson(world);
  const known = {
    ...{ '2020-12-31': '2020-W53', '2021-01-03': '2020-W53', '2021-01-04': '2021-W01' },
    ...{ '2024-12-29': '2024-W52', '2024-12-30': '2025-W01', '2025-01-05': '2025-W01' },
  };
  for (const day of Object.keys(known))
    await make.commission(world.db, {
      partnerId: me.partnerId,
      grossMinor: 100,
      at: new Date(`${day}T12:00:00Z`),
    });
  const owner = { userId: me.userId, currency: 'USD' };
  const weeks = await earnedPeriods(world.db, owner, { granularity: 'week', from: new Date(0) });
  const earned = new Map(weeks.map(({ period, earnedMinor }) => [period, earnedMinor]));
  for (const week of new Set(Object.values(known)))
    expect([week, earned.get(week)]).toEqual([
      week,
      Object.values(known).filter((one) => one === week).length * 100,
    ]);

  // The weeks that the endpoint names are those that the database sums by, on both sides of the last New Year.
  const newYear = Date.UTC(new Date().getUTCFullYear(), 0, 1);
  const at = [-8, -1, 0, 3, 6, 9].map((days) => new Date(newYear + days * 86_400_000));
  const past = at.filter((time) => time < new Date());
  for (const time of past)
    await make.commission(world.db, { partnerId: me.partnerId, grossMinor: 1, at: time });
  const { body } = await me.get('/commissions/history?granularity=week&periods=100');
  const { history } = body.data as { history: { period: string; earned: number }[] };
  for (const time of past) {
    const { period } = poolPeriodAt('WEEKLY', time);
    const inWeek = past.filter((other) => poolPeriodAt('WEEKLY', other).period === period).length;
    expect(history.find((one) => one.period === period)).toMatchObject({ earned: inWeek / 100 });
  }
});

test('GET /mlm/commissions/export has every own commission that fits, newest first', async () => {
  const me = await partnerPerson(world);
  const made = await make.commission(world.db, { partnerId: me.partnerId });
  await make.commission(world.db);
  const { text, headers } = await me.get('/commissions/export?status=PENDING');
  expect(headers['content-disposition']).toMatch(/filename=commissions-\d{4}-\d\d-\d\d\.csv$/);
  const [row, ...more] = readFile(text);
  expect(more).toEqual([]);
  expect(row).toMatchObject({ id: made.id, netAmount: '10', type: '1', status: 'PENDING', reversalOf: '' });
  expect(outcomeOf(await me.get('/commissions/export?statuss=PAID'))).toBe('400 VALIDATION_ERROR');
});

test('a partner sees another by the short name and no administrator, in the list and in the explanation', async () => {
  const other = await make.partner(world.db, {
    userId: (await make.user(world.db, { firstName: 'Anna', lastName: 'Bergström' })).id,
  });
  const me = await partnerPerson(world);
  const { id } = await make.commission(world.db, { partnerId: me.partnerId, sourcePartnerId: other.id });
  const admin = await make.admin(world.db);
  const token = await signIn(world, admin);
  const approved = await world.http
    .post(`/api/v1/admin/commissions/${id}/adjust`)
    .auth(token, { type: 'bearer' })
    .send({ action: 'APPROVE', reason: 'Looked into.' });
  expect(approved.status).toBe(200);
  const own = await me.get('/commissions');
  const explained = await me.get(`/commissions/${id}/explain`);
  for (const one of [own.body.data.commissions[0], explained.body.data.commission])
    expect(one).toMatchObject({
      status: 'APPROVED',
      sourcePartner: { id: other.id, name: 'Anna B.' },
      approvedBy: null,
    });
  const texts = [own, explained, await me.get('/commissions/export')].map(({ text }) => text);
  for (const text of texts) {
    expect(text).toContain(id);
    expect(text).not.toContain('Bergström');
    expect(text).not.toContain(admin.id);
  }
  const seen = await world.http
    .get(`/api/v1/admin/commissions/${id}/explain`)
    .auth(token, { type: 'bearer' });
  expect(seen.body.data.commission).toMatchObject({
    sourcePartner: { id: other.id, name: 'Anna Bergström' },
    approvedBy: admin.id,
  });
});

test('a page beyond the commissions that are counted is empty, and nothing is read for it', async () => {
  const me = await partnerPerson(world);
  await make.commission(world.db, { partnerId: me.partnerId });
  const sent = jest.spyOn(world.db.sequelize, 'query');
  const page = { sortBy: 'createdAt', sortOrder: 'desc', limit: 100 } as const;
  expect(await listedCommissions(world.db, {}, { ...page, offset: MOST_COUNTED })).toEqual([]);
  expect(sent).not.toHaveBeenCalled();
  sent.mockRestore();
  const { status, body } = await me.get('/commissions?page=100000&pageSize=100');
  expect([status, body.data.commissions]).toEqual([200, []]);
  const further = await me.get('/commissions?page=100001&pageSize=100');
  expect([outcomeOf(further), Object.keys(further.body.error.details as object)]).toEqual([
    '400 VALIDATION_ERROR',
    ['page'],
  ]);
});

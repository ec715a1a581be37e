import { randomUUID } from 'node:crypto';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { ownWorld } from '../../../support/worlds/world';

let token: string;
const world = ownWorld();
beforeAll(async () => {
  token = await signIn(world, await make.admin(world.db));
});

const get = (path: string) => world.http.get(`/api/v1/admin${path}`).auth(token, { type: 'bearer' });
const numbers = async (query: string): Promise<string[]> => {
  const { body } = await get(`/participations?${query}`);
  return body.data.participations.map((one: { number: string }) => one.number) as string[];
};

describe('GET /admin/participations', () => {
  it('answers every field, newest first, and narrows by each condition', async () => {
    const owner = await make.user(world.db, {
      email: 'grace.hopper@example.com',
      firstName: 'Grace',
      lastName: 'Hopper',
    });
    const strategy = await make.strategy(world.db, { name: 'Harbour' });
    const of = { userId: owner.id, strategyId: strategy.id };
    const at = new Date('2026-01-01T00:00:00Z');
    const profits = [{ amountMinor: 12_50 }];
    const older = await make.participation(world.db, {
      ...of,
      status: 'MATURED',
      at,
      profits,
      durationDays: 30,
    });
    const newer = await make.participation(world.db, of);
    const other = await make.participation(world.db, { status: 'ACTIVE' });

    expect(await numbers(`userId=${owner.id}`)).toEqual([newer.number, older.number]);
    expect(await numbers(`strategyId=${strategy.id}&status=MATURED`)).toEqual([older.number]);
    expect(await numbers(`search=${newer.number.toLowerCase()}`)).toEqual([newer.number]);
    expect(await numbers(`search=${older.id}`)).toEqual([older.number]);
    expect(await numbers('search=hopper@')).toEqual([newer.number, older.number]);
    expect(await numbers('search=nobody-has-this')).toEqual([]);
    expect(await numbers('pageSize=1&page=3')).toEqual([older.number]);
    expect(await numbers('status=ACTIVE')).toContain(other.number);
    const { body } = await get(`/participations?search=${older.number}`);
    expect(body.data.participations).toEqual([
      {
        ...{ id: older.id, number: older.number, status: 'MATURED', paymentStatus: 'PAID' },
        user: { id: owner.id, email: 'grace.hopper@example.com', name: 'Grace Hopper' },
        strategy: { id: strategy.id, name: 'Harbour' },
        ...{
          providerCode: strategy.providerCode,
          origin: 'PLATFORM',
          amount: 1_000,
          earned: 12.5,
          currency: 'USD',
        },
        ...{ startDate: at.toISOString(), createdAt: at.toISOString() },
        ...{ maturityDate: '2026-01-31T00:00:00.000Z', endedAt: '2026-01-31T00:00:00.000Z' },
      },
    ]);
  });

  it('refuses other values', async () => {
    for (const query of ['pageSize=51', 'status=OPEN', 'userId=1', 'strategyId=1', 'search=ab'])
      expect([query, (await get(`/participations?${query}`)).body.error.code]).toEqual([
        query,
        'VALIDATION_ERROR',
      ]);
  });
});

describe('GET /admin/participations/:id', () => {
  it('answers what its owner sees, the owner, and no processes where there are none', async () => {
    const owner = await make.user(world.db);
    const made = await make.participation(world.db, {
      ...{ userId: owner.id, status: 'ACTIVE', origin: 'PROVIDER', externalId: 'alpha-7' },
    });
    const { status, body } = await get(`/participations/${made.id}`);
    expect(status).toBe(200);
    const ownToken = await signIn(world, owner);
    const own = await world.http
      .get(`/api/v1/investment/participations/${made.id}`)
      .auth(ownToken, { type: 'bearer' });
    expect(body.data).toEqual({
      ...own.body.data,
      ...{ number: made.number, origin: 'PROVIDER', externalId: 'alpha-7', reinvestedFromId: null },
      ...{ providerCode: expect.any(String) as string, paymentExpiresAt: null, endedAt: null, processes: [] },
      user: {
        ...{ id: owner.id, email: owner.email, name: 'Ada Lovelace', firstName: 'Ada', lastName: 'Lovelace' },
        ...{ phone: null, status: 'ACTIVE' },
      },
    });
  });

  it('refuses an unknown one', async () => {
    const { status, body } = await get(`/participations/${randomUUID()}`);
    expect([status, body.error.code]).toEqual([404, 'PARTICIPATION_NOT_FOUND']);
  });
});

test('the page of a user counts and lists participations, and names them in the activity', async () => {
  const owner = await make.user(world.db);
  const at = new Date('2026-01-01T00:00:00Z');
  const before = await make.participation(world.db, {
    userId: owner.id,
    status: 'MATURED',
    at,
    durationDays: 30,
  });
  await make.participation(world.db, { userId: owner.id, status: 'ACTIVE', reinvestedFromId: before.id });
  const out = await make.participation(world.db, { userId: owner.id, status: 'WITHDRAWN', at });
  const { body } = await get(`/users/${owner.id}`);
  expect(body.data.stats).toMatchObject({ investmentsCount: 3, totalInvested: 2_000 });
  expect(body.data.participations.map((one: { status: string }) => one.status)).toEqual(
    expect.arrayContaining(['ACTIVE', 'MATURED', 'WITHDRAWN']),
  );
  const told = body.data.recentActivity.map((one: { description: string }) => one.description);
  expect(told).toEqual(
    expect.arrayContaining([`Made participation ${before.number}`, `Withdrew participation ${out.number}`]),
  );
});

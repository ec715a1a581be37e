import { randomUUID } from 'node:crypto';
import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import type { Partner } from '../../../support/builders/make/partners/partners';
import { signIn } from '../../../support/builders/sign-in';
import { ownWorld } from '../../../support/worlds/world';
import { counted } from '../../mlm/counted';

let token: string;
let grace: Partner;
let alan: Partner;
let mary: Partner;
const world = ownWorld({ worker: false });
beforeAll(async () => {
  token = await signIn(world, await make.admin(world.db));
  const named = async (firstName: string, lastName: string) =>
    (await make.user(world.db, { firstName, lastName, email: `${lastName.toLowerCase()}@example.com` })).id;
  grace = await make.partner(world.db, {
    userId: await named('Grace', 'Hopper'),
    referralCode: 'NAVY1952',
  });
  alan = await make.partner(world.db, { userId: await named('Alan', 'Turing'), sponsorId: grace.id });
  mary = await make.partner(world.db, {
    ...{ userId: await named('Mary', 'Shelley'), sponsorId: alan.id, status: 'TERMINATED' },
  });
  await counted(world.db);
  await execute(
    world.db,
    `UPDATE partner_standings SET earned_minor = CASE partner_id WHEN $1 THEN 500 ELSE 900 END,
       rank_level = CASE partner_id WHEN $1 THEN 2 ELSE 1 END, highest_rank_level = 2, network_rank_level = 2
      WHERE partner_id IN ($1, $2)`,
    [alan.id, mary.id],
  );
});

const get = (path: string) => world.http.get(`/api/v1/admin${path}`).auth(token, { type: 'bearer' });
const idsOf = async (query: string): Promise<string[]> => {
  const { body } = await get(`/partners?${query}`);
  return body.data.partners.map(({ id }: { id: string }) => id) as string[];
};

describe('GET /admin/partners', () => {
  test('200: every field, newest first', async () => {
    const { status, body } = await get('/partners');
    expect(status).toBe(200);
    expect(body.data.partners.map(({ id }: { id: string }) => id)).toEqual([mary.id, alan.id, grace.id]);
    expect(body.meta.pagination).toMatchObject({ total: 3 });
    expect(body.data.partners[1]).toEqual({
      id: alan.id,
      user: { id: alan.userId, email: 'turing@example.com', name: 'Alan Turing' },
      ...{ referralCode: alan.referralCode, status: 'ACTIVE', rank: { name: 'Builder', code: 'BUILDER' } },
      sponsor: { id: grace.id, name: 'Grace Hopper' },
      stats: {
        ...{ directReferrals: 1, networkSize: 1, totalEarned: 5, totalWithdrawn: 0 },
        ...{ availableBalance: 0, pendingBalance: 0 },
      },
      joinedAt: expect.any(String) as string,
    });
  });

  test('200: narrowed by status, rank and text, each alone and together', async () => {
    expect(await idsOf('status=TERMINATED')).toEqual([mary.id]);
    expect(await idsOf('status=ALL&rank=BUILDER')).toEqual([alan.id]);
    expect(await idsOf('rank=STARTER&status=ACTIVE')).toEqual([grace.id]);
    expect(await idsOf('rank=NOBODY')).toEqual([]);
    expect(await idsOf('search=navy')).toEqual([grace.id]);
    expect(await idsOf('search=ry%20shell')).toEqual([mary.id]);
    expect(await idsOf('search=turing@')).toEqual([alan.id]);
    expect(await idsOf('search=%25%25%25')).toEqual([]);
    expect(await idsOf('search=example&status=ACTIVE&rank=BUILDER&sortBy=totalEarned')).toEqual([alan.id]);
  });

  test('200: sorted both ways, in pages that do not overlap', async () => {
    expect(await idsOf('sortBy=totalEarned')).toEqual([mary.id, alan.id, grace.id]);
    expect(await idsOf('sortBy=totalEarned&sortOrder=asc')).toEqual([grace.id, alan.id, mary.id]);
    expect(await idsOf('sortBy=networkSize')).toEqual([grace.id, alan.id, mary.id]);
    expect(await idsOf('sortBy=createdAt&sortOrder=asc')).toEqual([grace.id, alan.id, mary.id]);
    expect(await idsOf('sortBy=networkSize&pageSize=2&page=2')).toEqual([mary.id]);
    expect(await idsOf('sortBy=totalEarned&status=ACTIVE')).toEqual([alan.id, grace.id]);
  });

  test('400 VALIDATION_ERROR for other values', async () => {
    for (const query of ['pageSize=101', 'status=GONE', 'rank=x', 'search=ab', 'sortBy=name', 'sortOrder=up'])
      expect([query, (await get(`/partners?${query}`)).body.error.code]).toEqual([query, 'VALIDATION_ERROR']);
  });
});

describe('GET /admin/partners/:id', () => {
  test('200: what the partner sees, the user, payout details and the newest commissions', async () => {
    await execute(
      world.db,
      `UPDATE users SET payout_method = 'CARD', payout_sealed = '\\x00', payout_masked = '•••• 4242',
         payout_changed_at = '2026-01-02T00:00:00Z' WHERE id = $1`,
      [alan.userId],
    );
    await paidCommission(alan, 12_34);
    const { status, body } = await get(`/partners/${alan.id}`);
    expect(status).toBe(200);
    const own = await world.http
      .get('/api/v1/mlm/partner/me')
      .auth(await signIn(world, { id: alan.userId }), { type: 'bearer' });
    const { referralUrl, ...shared } = own.body.data;
    expect(referralUrl).toContain(alan.referralCode);
    expect(shared.balance).toMatchObject({ totalWithdrawn: 12.34 });
    expect(shared.sponsor).toMatchObject({ name: 'Grace H.' });
    expect(body.data).toEqual({
      ...shared,
      sponsor: { ...shared.sponsor, name: 'Grace Hopper' },
      user: {
        ...{ id: alan.userId, email: 'turing@example.com', name: 'Alan Turing' },
        ...{ phone: null, status: 'ACTIVE' },
      },
      payoutDetails: { method: 'CARD', maskedDetails: '•••• 4242', lastUpdated: '2026-01-02T00:00:00.000Z' },
      recentCommissions: [
        {
          ...{ id: expect.any(String) as string, amount: 12.34, sourceType: 'ORDER', status: 'PAID' },
          createdAt: '2026-01-01T00:00:00.000Z',
        },
      ],
      recentPayouts: [
        {
          ...{ id: expect.any(String) as string, amount: 12.34, status: 'COMPLETED' },
          createdAt: '2026-01-01T00:00:00.000Z',
        },
      ],
    });
    expect((await get('/partners?search=turing')).body.data.partners[0].stats.totalWithdrawn).toBe(12.34);
  });

  test('404 PARTNER_NOT_FOUND, 400 for what is no id', async () => {
    const unknown = await get(`/partners/${randomUUID()}`);
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'PARTNER_NOT_FOUND']);
    expect((await get('/partners/1')).body.error.code).toBe('VALIDATION_ERROR');
  });
});

/** A commission of January that a payout has paid. */
async function paidCommission(partner: { id: string }, netMinor: number): Promise<void> {
  const at = new Date('2026-01-01T00:00:00Z');
  await make.commission(world.db, { partnerId: partner.id, grossMinor: netMinor, status: 'PAID', at });
}

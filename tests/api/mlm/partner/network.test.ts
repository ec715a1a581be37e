import { randomUUID } from 'node:crypto';
import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import type { Partner } from '../../../support/builders/make/partners/partners';
import { signIn } from '../../../support/builders/sign-in';
import { ownWorld } from '../../../support/worlds/world';
import { counted, soldTo } from '../counted';

let adminToken: string;
let top: Partner;
/** Below `top`: two in the first level, three in the second, one in the third. */
const below: Record<'ann' | 'ben' | 'cid' | 'dot' | 'eve' | 'fay', Partner> = {} as never;

const world = ownWorld({ worker: false });
beforeAll(async () => {
  adminToken = await signIn(world, await make.admin(world.db));
  top = await member('Tom', 'Top', null);
  below.ann = await member('Ann', 'Adams', top.id);
  below.ben = await member('Ben', 'Brown', top.id, 'SUSPENDED');
  below.dot = await member('Dot', 'Dunn', below.ben.id);
  below.cid = await member('Cid', 'Clay', below.ann.id);
  below.eve = await member('Eve', 'Ellis', below.ann.id);
  below.fay = await member('Fay', 'Ford', below.cid.id);
  await counted(world.db);
  await soldTo(world.db, [
    [top.id, 1],
    [top.id, 89],
    // Too long ago, or brought by somebody else.
    [top.id, 91],
    [below.ann.id, 1],
  ]);
  await execute(
    world.db,
    `UPDATE partner_standings SET group_volume_minor = 123450, group_points = 98765, earned_minor = 4210, rank_level = 2,
       network_rank_level = 3, highest_rank_level = 3, highest_rank_at = '2026-02-03T04:05:06Z' WHERE partner_id = $1`,
    [top.id],
  );
  await execute(
    world.db,
    `INSERT INTO partner_months (partner_id, month, personal_points, group_points, personal_volume_minor, group_volume_minor)
     VALUES ($1, date_trunc('month', now() AT TIME ZONE 'UTC'), 0, 1234, 0, 5600), ($1, '2026-01-01', 0, 777, 0, 888)`,
    [top.id],
  );
  await execute(
    world.db,
    'UPDATE partner_standings SET personal_volume_minor = 300, group_volume_minor = 700 WHERE partner_id = $1',
    [below.ann.id],
  );
});

async function member(
  firstName: string,
  lastName: string,
  sponsorId: string | null,
  status: 'ACTIVE' | 'SUSPENDED' = 'ACTIVE',
): Promise<Partner> {
  const { id: userId } = await make.user(world.db, { firstName, lastName });
  return make.partner(world.db, { userId, sponsorId, status });
}

const get = async (path: string, userId: string) =>
  world.http.get(`/api/v1${path}`).auth(await signIn(world, { id: userId }), { type: 'bearer' });
const asAdmin = (path: string) => world.http.get(`/api/v1/admin${path}`).auth(adminToken, { type: 'bearer' });
const namesOf = (body: { data: { network: { name: string }[] } }) =>
  body.data.network.map(({ name }) => name);

describe('GET /mlm/partner/me', () => {
  test('200: the membership with everything that is counted', async () => {
    await make.money(world.db, top.userId, 12_50, 'partner_available');
    await make.money(world.db, top.userId, 3_33, 'partner_pending');
    const { status, body } = await get('/mlm/partner/me', top.userId);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      ...{ id: top.id, referralCode: top.referralCode, status: 'ACTIVE', sponsor: null },
      referralUrl: expect.stringMatching(
        new RegExp(`^http.*/api/v1/products\\?ref=${top.referralCode}$`),
      ) as string,
      rank: { id: 'BUILDER', name: 'Builder', code: 'BUILDER', level: 2 },
      highestRank: { name: 'Leader', code: 'LEADER', achievedAt: '2026-02-03T04:05:06.000Z' },
      balance: {
        ...{ available: 12.5, pending: 3.33, totalEarned: 42.1, totalWithdrawn: 0, currency: 'USD' },
        ...{ careerPointsTotal: 987.65, careerPointsPeriod: 12.34 },
      },
      stats: {
        ...{ directReferrals: 2, networkSize: 6, treeDepth: 3, activeReferrals: 2 },
        ...{ commissionsCount: 0, payoutsCount: 0 },
      },
      ...{ joinedAt: expect.any(String) as string, activatedAt: expect.any(String) as string },
    });
  });

  test('200: names the sponsor, also to one who is suspended', async () => {
    const { body } = await get('/mlm/partner/me', below.ben.userId);
    expect(body.data).toMatchObject({
      ...{ status: 'SUSPENDED', sponsor: { id: top.id, name: 'Tom T.', referralCode: top.referralCode } },
      rank: { code: 'STARTER' },
    });
  });

  test('403 NOT_A_PARTNER, here and on every other page of partners', async () => {
    const { id } = await make.user(world.db);
    for (const page of ['me', 'network', 'network/stats']) {
      const { status, body } = await get(`/mlm/partner/${page}`, id);
      expect([page, status, body.error.code]).toEqual([page, 403, 'NOT_A_PARTNER']);
    }
  });
});

describe('GET /mlm/partner/network', () => {
  test('200: by level, then as they joined, without e-mail addresses and full names', async () => {
    const { status, body } = await get('/mlm/partner/network', top.userId);
    expect(status).toBe(200);
    expect(namesOf(body)).toEqual(['Ann A.', 'Ben B.', 'Dot D.', 'Cid C.', 'Eve E.', 'Fay F.']);
    expect(body.data.network[0]).toEqual({
      ...{
        id: below.ann.id,
        name: 'Ann A.',
        referralCode: below.ann.referralCode,
        level: 1,
        status: 'ACTIVE',
      },
      ...{ rank: { name: 'Starter', code: 'STARTER' }, directReferrals: 2, totalVolume: 3 },
      joinedAt: expect.any(String) as string,
    });
    expect(body.data).toMatchObject({
      ...{ partnerId: top.id, partnerName: 'Tom Top' },
      stats: {
        totalSize: 6,
        byLevel: [
          { level: 1, count: 2, volume: 0 },
          { level: 2, count: 3, volume: 0 },
          { level: 3, count: 1, volume: 0 },
        ],
      },
    });
    expect(body.meta.pagination).toMatchObject({ total: 6 });
  });

  test('200: no more levels than asked for, and pages that neither overlap nor leave anybody out', async () => {
    const shallow = await get('/mlm/partner/network?depth=1', top.userId);
    expect(namesOf(shallow.body)).toEqual(['Ann A.', 'Ben B.']);
    expect(shallow.body.data.stats).toMatchObject({ totalSize: 6, byLevel: [{ level: 1 }] });
    const pages = [];
    for (const page of [1, 2, 3, 4])
      pages.push(namesOf((await get(`/mlm/partner/network?pageSize=2&page=${page}`, top.userId)).body));
    expect(pages).toEqual([['Ann A.', 'Ben B.'], ['Dot D.', 'Cid C.'], ['Eve E.', 'Fay F.'], []]);
  });

  test('403 NOT_A_PARTNER, and for the figures, once the membership has ended; all that is one’s own stays', async () => {
    const { userId } = await make.partner(world.db, { status: 'TERMINATED' });
    for (const page of ['network', 'network/stats']) {
      const { status, body } = await get(`/mlm/partner/${page}`, userId);
      expect([page, status, body.error?.code]).toEqual([page, 403, 'NOT_A_PARTNER']);
    }
    const month = new Date().toISOString().slice(0, 7);
    for (const page of ['partner/me', 'commissions', `statements/${month}`, 'ranks/current'])
      expect([page, (await get(`/mlm/${page}`, userId)).status]).toEqual([page, 200]);
  });

  test('400 VALIDATION_ERROR for other depths and pages', async () => {
    for (const query of ['depth=0', 'depth=11', 'depth=x', 'pageSize=101', 'page=0']) {
      const { body } = await get(`/mlm/partner/network?${query}`, top.userId);
      expect([query, body.error.code]).toEqual([query, 'VALIDATION_ERROR']);
    }
  });
});

describe('GET /mlm/partner/network/stats', () => {
  test('200: size, levels, active referrals and volume of this month and ever', async () => {
    const { body } = await get('/mlm/partner/network/stats', top.userId);
    expect(body.data).toMatchObject({
      ...{ totalSize: 6, activeReferrals: 2, volume: { period: 56, total: 1234.5 } },
      byLevel: [{ count: 2 }, { count: 3 }, { count: 1 }],
    });
  });
});

describe('GET /admin/partners/:id/network', () => {
  test('200: with full names and e-mail addresses', async () => {
    const { status, body } = await asAdmin(`/partners/${below.ann.id}/network?depth=1`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ partnerId: below.ann.id, partnerName: 'Ann Adams' });
    expect(namesOf(body)).toEqual(['Cid Clay', 'Eve Ellis']);
    expect(body.data.network[0].email).toMatch(/@example.com$/);
  });

  test('404 PARTNER_NOT_FOUND', async () => {
    const { status, body } = await asAdmin(`/partners/${randomUUID()}/network`);
    expect([status, body.error.code]).toEqual([404, 'PARTNER_NOT_FOUND']);
  });
});

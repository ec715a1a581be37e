import { randomUUID } from 'node:crypto';
import { countByDay } from '../../../../db/partners/link/partner-link.writes';
import { execute, firstRow } from '../../../../db/sql/query';
import { eventually } from '../../../support/checks/eventually';
import { make } from '../../../support/builders/make';
import { partnerSale } from '../../../support/builders/make/partners/partner-sales';
import type { Partner } from '../../../support/builders/make/partners/partners';
import { convertedVisitor } from '../../../support/builders/make/partners/visitors';
import { signIn } from '../../../support/builders/sign-in';
import { ownWorld } from '../../../support/worlds/world';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0';
const LIMIT = 5;

let partner: Partner;
const world = ownWorld({ worker: false, variables: { POLICY_PARTNER_LINKS: String(LIMIT) } });
beforeAll(async () => {
  partner = await make.partner(world.db);
});

interface Link {
  id: string;
  code: string;
  url: string;
}
const of = async ({ userId }: { userId: string }) => {
  const token = await signIn(world, { id: userId });
  return {
    get: (path: string) => world.http.get(`/api/v1${path}`).auth(token, { type: 'bearer' }),
    add: (body: object, key?: string) => {
      const request = world.http.post('/api/v1/mlm/referrals/links').auth(token, { type: 'bearer' });
      return (key === undefined ? request : request.set('Idempotency-Key', key)).send(body);
    },
  };
};
const linkOf = async (owner: { userId: string }): Promise<Link> =>
  (await (await of(owner)).add({ name: 'A link' })).body.data as Link;
const visit = (query: string, headers: Record<string, string> = {}) =>
  world.http.get(`/api/v1/categories?${query}`).set({ 'User-Agent': BROWSER, ...headers });
const clicksOf = async ({ id }: Link): Promise<number> =>
  (await firstRow<{ n: number }>(
    world.db,
    'SELECT count(*)::int AS n FROM partner_link_clicks WHERE link_id = $1',
    [id],
  ))!.n;
const counts = (link: Link, clicks: number) =>
  eventually(async () => expect(await clicksOf(link)).toBe(clicks));

describe('POST /mlm/referrals/links', () => {
  test('201: a link with a code of its own, once by one key', async () => {
    const caller = await of(partner);
    const body = { name: ' Newsletter ', campaign: 'spring', path: '/shop/new' };
    const { status, body: answer } = await caller.add(body, 'one');
    expect(status).toBe(201);
    const { code, url } = answer.data as Link;
    expect(answer.data).toEqual({
      ...{ id: expect.any(String) as string, name: 'Newsletter', campaign: 'spring', code, url },
      ...{ clicks: 0, registrations: 0, conversions: 0, createdAt: expect.any(String) as string },
    });
    expect(code).toMatch(/^[A-HJ-NP-Z2-9]{8}$/);
    expect(url).toMatch(new RegExp(`^http.*/shop/new\\?ref=${partner.referralCode}&link=${code}$`));
    expect((await caller.add(body, 'one')).body.data).toEqual(answer.data);
    expect((await caller.get('/mlm/referrals/links')).body.data.links).toEqual([answer.data]);
  });

  test('400 TOO_MANY_LINKS beyond the limit, also for many at once', async () => {
    const many = await make.partner(world.db);
    const caller = await of(many);
    const answers = await Promise.all(
      Array.from({ length: LIMIT + 3 }, () => caller.add({ name: 'One of many' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(LIMIT);
    for (const { body } of answers.filter(({ status }) => status !== 201))
      expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', reason: 'TOO_MANY_LINKS' });
    expect((await caller.get('/mlm/referrals/links')).body.data.links).toHaveLength(LIMIT);
  });

  test('403 FORBIDDEN for a suspended partner, 403 NOT_A_PARTNER without a membership', async () => {
    const suspended = await make.partner(world.db, { status: 'SUSPENDED' });
    const refused = await (await of(suspended)).add({ name: 'Late' });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN']);
    expect(refused.body.error.reason).toBe('PARTNER_NOT_ACTIVE');
    const stranger = await of({ userId: (await make.user(world.db)).id });
    const answers = [
      await stranger.add({ name: 'Mine' }),
      await stranger.get('/mlm/referrals/links'),
      await stranger.get(`/mlm/referrals/links/${randomUUID()}/stats`),
    ];
    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(
      Array.from({ length: 3 }, () => [403, 'NOT_A_PARTNER']),
    );
  });

  test('400 VALIDATION_ERROR for bad fields, a page elsewhere among them', async () => {
    const caller = await of(partner);
    for (const bad of [
      ...[{}, { name: '' }, { name: 'x'.repeat(101) }, { name: 'x', campaign: '' }],
      ...['//evil.example', 'https://evil.example', '/a?b=c', '/\\evil.example', ''].map((path) => ({
        ...{ name: 'x', path },
      })),
    ])
      expect([bad, (await caller.add(bad)).body.error.code]).toEqual([bad, 'VALIDATION_ERROR']);
  });
});

describe('a visit by a link', () => {
  test('sets both cookies and is counted once for a visitor, with the cookie or without', async () => {
    const owner = await make.partner(world.db);
    const link = await linkOf(owner);
    const query = `ref=${owner.referralCode}&link=${link.code.toLowerCase()}`;
    const first = await visit(query);
    expect(first.body.meta?.ignored).toBeUndefined();
    const cookies = (first.headers['set-cookie'] as unknown as string[]).map((line) => line.split(';')[0]!);
    expect(cookies).toEqual([
      `svc_ref_code=${owner.referralCode}`,
      expect.stringMatching(/^svc_ref_link_id=/),
      expect.stringMatching(/^svc_first_touch=/),
    ]);
    await counts(link, 1);
    await Promise.all([visit(query), visit(query), visit(query, { Cookie: cookies.join('; ') })]);
    await visit(query, { 'User-Agent': `${BROWSER} other` });
    await counts(link, 2);
    expect(await clicksOf(link)).toBe(2);
  });

  test('of a robot, of a foreign and of an unknown link is not counted; the partner’s code still counts', async () => {
    const owner = await make.partner(world.db);
    const [link, foreign] = [await linkOf(owner), await linkOf(await make.partner(world.db))];
    for (const agent of ['Googlebot/2.1', 'curl/8', 'WhatsApp/2.23', ''])
      await visit(`ref=${owner.referralCode}&link=${link.code}`, { 'User-Agent': agent });
    for (const code of [foreign.code, 'ZZZZZZZZ', 'x', `${link.code}&link=${link.code}`]) {
      const { headers } = await visit(`ref=${owner.referralCode}&link=${code}`);
      expect(headers['set-cookie']?.[0]).toContain(owner.referralCode);
    }
    const seen = await linkOf(owner);
    await visit(`ref=${owner.referralCode}&link=${seen.code}`);
    await counts(seen, 1);
    expect([await clicksOf(link), await clicksOf(foreign)]).toEqual([0, 0]);
  });
});

describe('GET /mlm/referrals/links/:id/stats', () => {
  test('200: clicks, registrations and conversions by day, counted by day or not', async () => {
    const owner = await make.partner(world.db);
    const link = await linkOf(owner);
    const click = (at: string) =>
      execute(
        world.db,
        `INSERT INTO partner_link_clicks VALUES ($1, gen_random_uuid(), $2::timestamptz, $2::timestamptz + interval '30 minutes')`,
        [link.id, at],
      );
    for (const at of [
      '2026-03-01T00:00:00Z',
      '2026-03-01T23:59:59Z',
      '2026-03-03T12:00:00Z',
      '2026-02-28T23:59:59Z',
    ])
      await click(at);
    await registered(owner, link, '2026-03-02T10:00:00Z', ['2026-03-03T09:00:00Z', '2026-03-02T11:00:00Z']);
    await registered(owner, link, '2026-03-02T12:00:00Z', []);

    const caller = await of(owner);
    const stats = async () =>
      (await caller.get(`/mlm/referrals/links/${link.id}/stats?dateFrom=2026-03-01&dateTo=2026-03-03`)).body
        .data;
    const expected = {
      linkId: link.id,
      days: [
        { date: '2026-03-01', clicks: 2, registrations: 0, conversions: 0 },
        { date: '2026-03-02', clicks: 0, registrations: 2, conversions: 1 },
        { date: '2026-03-03', clicks: 1, registrations: 0, conversions: 0 },
      ],
      totals: { clicks: 3, registrations: 2, conversions: 1 },
    };
    expect(await stats()).toEqual(expected);
    expect(await countByDay(world.db, new Date('2026-03-02T00:30:00Z'), 10)).toBe(3);
    expect(await stats()).toEqual(expected);
    expect((await caller.get('/mlm/referrals/links')).body.data.links).toMatchObject([
      { id: link.id, clicks: 4, registrations: 2, conversions: 1 },
    ]);
  });

  test('200: the last 30 days by default; 400 for a period that is empty or too long', async () => {
    const link = await linkOf(partner);
    const caller = await of(partner);
    const path = `/mlm/referrals/links/${link.id}/stats`;
    const { days } = (await caller.get(path)).body.data as { days: { date: string }[] };
    expect(days).toHaveLength(30);
    expect(days.at(-1)!.date).toBe(new Date().toISOString().slice(0, 10));
    expect((await caller.get(`${path}?dateFrom=2025-01-01&dateTo=2026-01-01`)).status).toBe(200);
    for (const query of [
      'dateFrom=2025-01-01&dateTo=2026-01-02',
      'dateFrom=2026-02-02&dateTo=2026-02-01',
      'dateTo=x',
    ])
      expect([query, (await caller.get(`${path}?${query}`)).body.error.code]).toEqual([
        query,
        'VALIDATION_ERROR',
      ]);
  });

  test.each([
    ['dateTo=0001-01-05', ['dateTo']],
    ['dateFrom=0000-01-01&dateTo=0000-01-01', ['dateFrom', 'dateTo']],
    ['dateTo=9999-12-31T23:59:59-14:00', ['dateTo']],
    ['dateFrom=3000-01-01&dateTo=3000-01-02', ['dateFrom', 'dateTo']],
  ])('400, with the fields named, for days of no year from 2000 to 2999: %s', async (query, fields) => {
    const owner = await make.partner(world.db);
    const link = await linkOf(owner);
    const { status, body } = await (await of(owner)).get(`/mlm/referrals/links/${link.id}/stats?${query}`);
    expect([status, body.error?.code, Object.keys(body.error?.details ?? {})]).toEqual([
      400,
      'VALIDATION_ERROR',
      fields,
    ]);
  });

  test('200 for the first and the last of these days', async () => {
    const owner = await make.partner(world.db);
    const [link, caller] = [await linkOf(owner), await of(owner)];
    for (const day of ['2000-01-01', '2999-12-31'])
      expect((await caller.get(`/mlm/referrals/links/${link.id}/stats?dateTo=${day}`)).status).toBe(200);
  });

  test('404 LINK_NOT_FOUND for another partner’s link, also of one who is suspended', async () => {
    const link = await linkOf(partner);
    const other = await of(await make.partner(world.db, { status: 'SUSPENDED' }));
    const { status, body } = await other.get(`/mlm/referrals/links/${link.id}/stats`);
    expect([status, body.error.code]).toEqual([404, 'LINK_NOT_FOUND']);
  });
});

/** An account that was opened by the link and paid at these times. */
async function registered(owner: Partner, link: Link, at: string, paidAt: readonly string[]): Promise<void> {
  const { id: userId } = await make.user(world.db);
  await execute(world.db, 'UPDATE users SET sponsor_id = $2 WHERE id = $1', [userId, owner.id]);
  await convertedVisitor(world.db, owner.referralCode, userId, { at: new Date(at), link: link.code });
  for (const paid of paidAt)
    await partnerSale(world.db, { userId, partnerId: owner.id, baseMinor: 100, at: new Date(paid) });
}

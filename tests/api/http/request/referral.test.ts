import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../../../api/http/endpoint';
import { generalLimit, perMinute } from '../../../../api/http/limits/limits';
import { connect } from '../../../../db/sql/connection';
import { execute, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import type { Partner } from '../../../support/builders/make/partners/partners';
import { ownDatabase } from '../../../support/servers/database';
import { type CatalogueProcess, catalogueProcesses } from '../page-cache/catalogue-process';
import { serverOf } from '../shop';
import { unnamed } from '../unnamed';

type Answer = Awaited<ReturnType<CatalogueProcess['get']>>;
const setBy = ({ headers }: Answer): string[] =>
  (headers['set-cookie'] as unknown as string[] | undefined) ?? [];

describe('by a link', () => {
  const database = ownDatabase();
  const open = catalogueProcesses(database);
  const page = (path: string, more: object = {}) =>
    endpoint({
      ...{
        method: 'get',
        path,
        auth: 'public',
        limit: generalLimit,
        ...unnamed,
        success: 200,
      },
      errors: {},
      data: z.object({}),
      handle: () => Promise.resolve({}),
      ...more,
    });
  const post = page('/post', { method: 'post' });
  const own = page('/own', { auth: 'user' });
  const endpoints = [page('/page'), page('/optional', { auth: 'optional' }), post, own];

  let shop: CatalogueProcess;
  let partner: Partner;
  beforeAll(async () => {
    partner = await make.partner(database.db, { referralCode: 'ADA1815' });
    await make.product(database.db);
    shop = await open({ endpoints });
  });
  beforeEach(() => execute(database.db, 'DELETE FROM referral_touches'));

  interface Row {
    id: string;
    partnerCode: string;
    [column: string]: unknown;
  }
  const touches = () => rows<Row>(database.db, 'SELECT * FROM referral_touches ORDER BY first_touch_at, id');
  /** Name and value of each cookie that was set. */
  const cookiesOf = (answer: Answer): Record<string, string> =>
    Object.fromEntries(setBy(answer).map((line) => line.split(';')[0]!.split('=').map(decodeURIComponent)));
  const asCookies = (cookies: Record<string, string>) => ({
    Cookie: Object.entries(cookies)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('; '),
  });

  describe('a partner’s link', () => {
    test('sets the cookies for 30 days, the UTM one for the session, and records the touch', async () => {
      const answer = await shop.get('/page?ref=ada1815&utm_source=news&utm_campaign=spring', {
        'User-Agent': 'Browser/1',
        Referer: 'https://blog.example/post?private=1#top',
      });
      const [touch, ...others] = await touches();
      expect(others).toEqual([]);
      expect(touch).toMatchObject({
        ...{ partnerId: partner.id, partnerCode: 'ADA1815', firstPartnerCode: 'ADA1815' },
        ...{ firstUtmSource: 'news', firstUtmMedium: null, firstUtmCampaign: 'spring' },
        ...{ lastUtmSource: 'news', lastUtmMedium: null, lastUtmCampaign: 'spring' },
        ...{ landingPage: 'https://blog.example/post', ipAddress: '127.0.0.1', userAgent: 'Browser/1' },
      });
      const { svc_utm: utm, ...kept } = cookiesOf(answer);
      expect(kept).toEqual({
        svc_ref_code: 'ADA1815',
        svc_ref_link_id: touch!.id,
        svc_first_touch: (touch!['firstTouchAt'] as Date).toISOString(),
      });
      expect(JSON.parse(utm!)).toEqual({ utm_source: 'news', utm_medium: null, utm_campaign: 'spring' });
      for (const line of setBy(answer)) {
        expect(line).toMatch(/; Path=\/;.*HttpOnly; Secure; SameSite=Lax$/);
        if (line.startsWith('svc_utm=')) expect(line).not.toMatch(/Max-Age|Expires/);
        else expect(line).toContain(`; Max-Age=${30 * 24 * 3600};`);
      }
    });

    test('without UTM sets no UTM cookie, and records the requested page', async () => {
      const answer = await shop.get('/optional?ref=ADA1815');
      expect(Object.keys(cookiesOf(answer))).toEqual(['svc_ref_code', 'svc_ref_link_id', 'svc_first_touch']);
      expect(await touches()).toMatchObject([{ landingPage: '/api/v1/optional' }]);
    });

    test('followed again is the same touch; another partner’s counts from then on', async () => {
      await make.partner(database.db, { referralCode: 'GRACE1906' });
      const first = cookiesOf(await shop.get('/page?ref=ADA1815&utm_source=a'));
      const again = cookiesOf(await shop.get('/page?ref=GRACE1906&utm_source=b', asCookies(first)));
      expect(again).toMatchObject({
        ...{ svc_ref_code: 'GRACE1906', svc_ref_link_id: first['svc_ref_link_id'] },
        svc_first_touch: first['svc_first_touch'],
      });
      expect(await touches()).toMatchObject([
        {
          ...{ id: first['svc_ref_link_id'], partnerCode: 'GRACE1906', firstPartnerCode: 'ADA1815' },
          ...{ firstUtmSource: 'a', lastUtmSource: 'b' },
        },
      ]);
    });

    test('with invented cookies starts a new touch', async () => {
      for (const svc_ref_link_id of ['nonsense', "'; DROP TABLE referral_touches; --", '0'.repeat(4_000)]) {
        const made = cookiesOf(await shop.get('/page?ref=ADA1815', asCookies({ svc_ref_link_id })));
        expect(made['svc_ref_link_id']).toMatch(/^[0-9a-f-]{36}$/);
      }
    });
  });

  describe('nothing is set or recorded', () => {
    test.each([
      ...['/page', '/page?ref=', '/page?ref=NOBODYS1', '/page?ref=A', '/page?ref=ADA1815&ref=ADA1815'],
      ...[
        '/page?ref=%07ADA1815%0d',
        "/page?ref=ADA1815'--",
        `/page?ref=${'A'.repeat(2_000)}`,
        '/page?ref[]=ADA1815',
      ],
    ])('by %s', async (path) => {
      const answer = await shop.get(path);
      expect([answer.status, setBy(answer)]).toEqual([200, []]);
      expect(await touches()).toEqual([]);
    });

    test.each(['SUSPENDED', 'TERMINATED'] as const)('for a partner who is %s', async (status) => {
      const { referralCode } = await make.partner(database.db, { status });
      expect(setBy(await shop.get(`/page?ref=${referralCode}`))).toEqual([]);
      expect(await touches()).toEqual([]);
    });

    test('by endpoints that are not public, and by refused requests', async () => {
      const client = request(shop.address);
      const answers = [
        await client.post('/api/v1/post?ref=ADA1815').send({}),
        await client.head('/api/v1/page?ref=ADA1815'),
        await shop.get('/own?ref=ADA1815'),
        await shop.get('/nowhere?ref=ADA1815'),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 404]);
      expect(answers.flatMap(setBy)).toEqual([]);
      expect(await touches()).toEqual([]);
    });
  });

  test('text from the client is limited to one line', async () => {
    const long = 'ü'.repeat(600);
    const hostile = encodeURIComponent(`a\r\nSet-Cookie: x=y\u0007 \ud83c\udf81${long}`);
    const answer = await shop.get(
      `/page?ref=ADA1815&utm_source=${hostile}&utm_medium=%0d%0a&utm_campaign=x&utm_campaign=y`,
      {
        'User-Agent': 'B'.repeat(5_000),
      },
    );
    const [touch] = await touches();
    const source = touch!['firstUtmSource'] as string;
    expect(source).toHaveLength(200);
    expect(source).toMatch(/^aSet-Cookie: x=y \u{1f381}ü+$/u);
    expect(touch).toMatchObject({ firstUtmMedium: null, firstUtmCampaign: null });
    expect(touch!['userAgent']).toHaveLength(512);
    expect(cookiesOf(answer)).not.toHaveProperty('x');
    expect(setBy(answer)).toHaveLength(4);
  });
});

describe('on a page', () => {
  const database = ownDatabase();
  const open = catalogueProcesses(database);
  const few = endpoint({
    ...{
      method: 'get',
      path: '/few',
      auth: 'public',
      limit: perMinute(2),
      ...unnamed,
      success: 200,
    },
    errors: {},
    data: z.object({}),
    handle: () => Promise.resolve({}),
  });

  let shop: CatalogueProcess;
  beforeAll(async () => {
    await make.partner(database.db, { referralCode: 'ADA1815' });
    await make.product(database.db);
    shop = await open({ endpoints: [few] });
  });
  beforeEach(() => execute(database.db, 'DELETE FROM referral_touches'));

  const touches = () => rows<{ id: string }>(database.db, 'SELECT id FROM referral_touches');

  describe('a cached page', () => {
    const path = '/products?page=1&pageSize=2';

    test('records every visitor by a link, in any spelling, and contains no one’s cookies', async () => {
      for (let i = 0; i < 4; i++) await shop.get(path);
      for (const link of [`${path}&ref=ADA1815`, `${path}&r%65f=ADA1815`]) {
        for (let visitor = 0; visitor < 4; visitor++) {
          const answer = await shop.get(link, { 'User-Agent': `${link} ${visitor}` });
          expect(setBy(answer)[0]).toMatch(/^svc_ref_code=ADA1815;/);
          expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' });
          expect(answer.headers['etag']).toBeUndefined();
        }
      }
      const made = await touches();
      expect(made).toHaveLength(8);
      for (let i = 0; i < 4; i++) expect(setBy(await shop.get(path))).toEqual([]);
      expect(setBy(await shop.get(`${path}&ref=NOBODYS1`))).toEqual([]);
      expect(await touches()).toHaveLength(8);
    });

    test('is still answered from the cache', async () => {
      await shop.get(path);
      const { hit, miss } = await shop.outcomesOf(() => shop.get(`${path}&ref=ADA1815`));
      expect({ hit, miss }).toEqual({ hit: 1, miss: 0 });
    });
  });

  test('limits apply as usual, and a refused visitor is not recorded', async () => {
    const narrow = await open({ endpoints: [few], settings: { RATE_LIMIT_SCALE: '1' } });
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++)
      statuses.push((await narrow.get('/few?ref=ADA1815', { 'User-Agent': `agent ${i}` })).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
    expect(await touches()).toHaveLength(2);
  });

  test('without the database the page is answered, and the loss is logged', async () => {
    const db = connect({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', DATABASE_POOL_MAX: 2 }, 'test');
    const lines: string[] = [];
    const answer = await request(serverOf({ db, endpoints: [few], lines })).get('/api/v1/few?ref=ADA1815');
    expect([answer.status, setBy(answer)]).toEqual([200, []]);
    expect(lines.join('')).toContain('a referral could not be recorded');
    await db.sequelize.close();
  });

  test('no page waits long for a database that does not answer', async () => {
    const holder = connect({ DATABASE_URL: database.url, DATABASE_POOL_MAX: 2 }, 'test');
    const held = await holder.sequelize.transaction();
    await holder.sequelize.query('LOCK TABLE referral_touches IN ACCESS EXCLUSIVE MODE', {
      transaction: held,
    });
    const answer = await shop.get('/few?ref=ADA1815');
    expect([answer.status, setBy(answer)]).toEqual([200, []]);
    await held.rollback();
    await holder.sequelize.close();
  });
});

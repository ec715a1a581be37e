import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { v7 } from 'uuid';
import { listUsers } from '../../../../db/identity/user-administration/user-list.reads';
import { execute } from '../../../../db/sql/query';
import { Participation } from '../../../../api/investment/participations/participation.view';
import { make } from '../../../support/builders/make';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ worker: false });
});
afterAll(() => adminWorld.world.teardown());

describe('GET /admin/users', () => {
  const AdminUser = z.strictObject({
    id: z.uuid(),
    email: z.string(),
    phone: z.string().nullable(),
    status: z.enum(['PENDING_VERIFICATION', 'ACTIVE', 'SUSPENDED', 'BANNED']),
    profile: z.strictObject({
      firstName: z.string(),
      lastName: z.string(),
      avatarUrl: z.string().nullable(),
    }),
    kyc: z.strictObject({ status: z.string(), level: z.string() }),
    roles: z.array(z.string()),
    isPartner: z.boolean(),
    stats: z.strictObject({
      ordersCount: z.number(),
      totalSpent: z.number(),
      investmentsCount: z.number(),
      totalInvested: z.number(),
    }),
    lastLoginAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
  });

  const list = async (query = ''): Promise<z.output<typeof AdminUser>[]> => {
    const { status, body } = await adminWorld.ask('get', `/admin/users?pageSize=100&${query}`);
    expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
    return z.array(AdminUser).parse(body.data.users);
  };
  const idsOf = async (query: string) => (await list(query)).map(({ id }) => id);

  test('shows the users, newest first, with their orders and whether they are partners', async () => {
    const { db } = adminWorld.world;
    const buyer = await make.buyer(db, { firstName: 'Grace', lastName: 'Hopper' });
    await make.partner(db, { userId: buyer.id });
    const method = await make.shippingMethod(db);
    const order = (number: string, payment: string, status: string, total: number) =>
      execute(
        db,
        `INSERT INTO orders (id, number, user_id, status, payment_status, currency, subtotal_minor, discount_minor,
         shipping_minor, tax_minor, total_minor, payment_method, payment_expires_at, shipping_method_id,
         shipping_method_name, shipping_address, created_at, updated_at)
       VALUES (gen_random_uuid(), $1, $2, $3, $4, 'USD', $5, 0, 0, 0, $5, 'CARD', now(), $6, 'Parcel', '{}', now(), now())`,
        [number, buyer.id, status, payment, total, method],
      );
    await order('N-1', 'PAID', 'DELIVERED', 1_999);
    await order('N-2', 'PAID', 'PROCESSING', 1);
    await order('N-3', 'REFUNDED', 'REFUNDED', 5_000);
    await order('N-4', 'PENDING', 'PENDING_PAYMENT', 7_000);
    const [newest] = await list();
    expect(newest).toMatchObject({
      id: buyer.id,
      email: buyer.email,
      profile: { firstName: 'Grace', lastName: 'Hopper', avatarUrl: null },
      kyc: { status: 'NOT_STARTED', level: 'BASIC' },
      roles: ['USER'],
      isPartner: true,
      stats: { ordersCount: 4, totalSpent: 20, investmentsCount: 0, totalInvested: 0 },
      lastLoginAt: null,
    });
  });

  test('filters by status, role, KYC and time of registration', async () => {
    const { db } = adminWorld.world;
    const banned = await make.user(db, { status: 'BANNED' });
    const verified = await make.user(db, { kycLevel: 'STANDARD' });
    expect(await idsOf('status=BANNED')).toEqual([banned.id]);
    expect((await idsOf('status=ALL')).length).toBe((await idsOf('')).length);
    expect(await idsOf('role=SUPER_ADMIN')).toEqual([adminWorld.superAdmin.id]);
    expect(await idsOf('kycStatus=APPROVED')).toEqual([verified.id]);
    await execute(db, `UPDATE users SET created_at = '2020-05-05T10:00:00Z' WHERE id = $1`, [banned.id]);
    expect(await idsOf('dateFrom=2020-05-05&dateTo=2020-05-06')).toEqual([banned.id]);
    expect(await idsOf('dateTo=2020-05-05')).toEqual([banned.id]);
    expect(await idsOf('dateTo=2020-05-04')).toEqual([]);
  });

  test('searches e-mail, name and phone in any case, and takes % and _ literally', async () => {
    const { db } = adminWorld.world;
    const ann = await make.user(db, {
      email: 'ann_100%@shop.example',
      firstName: 'Ångela',
      lastName: "O'Brien",
    });
    await make.user(db, { email: 'annx100y@shop.example' });
    await execute(db, `UPDATE users SET phone = '+4930901820' WHERE id = $1`, [ann.id]);
    const search = (text: string) => idsOf(`search=${encodeURIComponent(text)}`);
    for (const text of ['ANN_100%', 'ngela o', "o'brien", '901820', 'Ångela'])
      expect(await search(text)).toEqual([ann.id]);
    expect(await search('%%')).toEqual([]);
    expect(await search('\\')).toEqual([]);
    expect(await search('example Ån')).toEqual([]);
    expect((await search('')).length).toBeGreaterThan(3);
  });

  test('sorts, those who never signed in last when the latest come first, and pages never overlap', async () => {
    const emails = (await list('sortBy=email&sortOrder=asc')).map(({ email }) => email);
    expect(emails).toEqual([...emails].sort());
    await execute(
      adminWorld.world.db,
      `UPDATE users SET last_login_at = now() - random() * interval '9 days' WHERE id IN (SELECT id FROM users LIMIT 3)`,
    );
    const logins = (await list('sortBy=lastLoginAt')).map(({ lastLoginAt }) => lastLoginAt);
    const seen = logins.filter((at) => at !== null);
    expect(seen).toHaveLength(3);
    expect(logins.length).toBeGreaterThan(3);
    expect(logins.slice(0, seen.length)).toEqual([...seen].sort().reverse());
    const paged: string[] = [];
    for (let page = 1, more = true; more; page++) {
      const { body } = await adminWorld.ask('get', `/admin/users?sortBy=status&page=${page}&pageSize=2`);
      paged.push(...body.data.users.map(({ id }: { id: string }) => id));
      more = body.meta.pagination.hasNext;
      expect(body.meta.pagination.total).toBe(emails.length);
    }
    expect(new Set(paged).size).toBe(emails.length);
  });

  test.each(['pageSize=101', 'status=GONE', 'role=ROOT', 'kycStatus=X', 'sortBy=password', 'dateFrom=soon'])(
    'VALIDATION_ERROR for %s',
    async (query) => {
      expect(outcomeOf(await adminWorld.ask('get', `/admin/users?${query}`))).toBe('400 VALIDATION_ERROR');
    },
  );

  test('is for administrators', async () => {
    expect(outcomeOf(await adminWorld.ask('get', '/admin/users', undefined, null))).toBe('401 UNAUTHORIZED');
    expect(outcomeOf(await adminWorld.ask('get', '/admin/users', undefined, adminWorld.tokens.user))).toBe(
      '403 FORBIDDEN',
    );
  });

  test('a page costs two statements, however many people are on it', async () => {
    const { db } = adminWorld.world;
    const statements: string[] = [];
    const watched = {
      ...db,
      watch: <T>(text: string, run: () => Promise<T>) => {
        statements.push(text);
        return run();
      },
    };
    const { users } = await listUsers(
      watched,
      {},
      { sortBy: 'createdAt', sortOrder: 'desc', limit: 100, offset: 0 },
    );
    expect(users.length).toBeGreaterThan(5);
    expect(statements).toHaveLength(2);
  });
});

describe('GET /admin/users/:id', () => {
  const moment = z.iso.datetime();
  const Detail = z.strictObject({
    id: z.uuid(),
    email: z.string(),
    phone: z.string().nullable(),
    status: z.string(),
    profile: z.strictObject({
      firstName: z.string(),
      lastName: z.string(),
      middleName: z.string().nullable(),
      dateOfBirth: z.iso.date().nullable(),
      avatarUrl: z.string().nullable(),
      language: z.string().nullable(),
      timezone: z.string().nullable(),
    }),
    kyc: z
      .strictObject({
        id: z.uuid().nullable(),
        status: z.string(),
        level: z.string(),
        submittedAt: moment.nullable(),
        reviewedAt: moment.nullable(),
        reviewedBy: z.uuid().nullable(),
        expiresAt: moment.nullable(),
        documents: z.array(
          z.strictObject({ id: z.uuid(), type: z.string(), status: z.string(), uploadedAt: moment }),
        ),
      })
      .nullable(),
    roles: z.array(z.string()),
    partner: z
      .strictObject({
        id: z.uuid(),
        referralCode: z.string(),
        status: z.string(),
        rank: z.string(),
        sponsorId: z.uuid().nullable(),
        sponsorName: z.string().nullable(),
        balance: z.strictObject({ available: z.number(), pending: z.number() }),
      })
      .nullable(),
    security: z.strictObject({
      twoFactorEnabled: z.boolean(),
      twoFactorMethod: z.string().nullable(),
      emailVerifiedAt: moment.nullable(),
      phoneVerifiedAt: moment.nullable(),
      passwordChangedAt: moment.nullable(),
      activeSessions: z.number(),
    }),
    stats: z.strictObject({
      ordersCount: z.number(),
      totalSpent: z.number(),
      investmentsCount: z.number(),
      totalInvested: z.number(),
      commissionsEarned: z.number(),
      referralsCount: z.number(),
    }),
    addresses: z.array(
      z.strictObject({
        id: z.uuid(),
        label: z.string().nullable(),
        isDefault: z.boolean(),
        city: z.string(),
        country: z.string(),
      }),
    ),
    participations: z.array(Participation),
    recentActivity: z.array(
      z.strictObject({
        type: z.enum(['SIGN_IN', 'ORDER', 'INVESTMENT', 'INVESTMENT_WITHDRAWAL', 'KYC', 'AUDIT']),
        description: z.string(),
        timestamp: moment,
        by: z.strictObject({ id: z.uuid(), email: z.string() }).nullable(),
      }),
    ),
    notes: z.array(
      z.strictObject({ id: z.uuid(), content: z.string(), createdBy: z.uuid(), createdAt: moment }),
    ),
    lastLoginAt: moment.nullable(),
    createdAt: moment,
    updatedAt: moment,
  });

  const show = async (id: string): Promise<z.output<typeof Detail>> => {
    const { status, body } = await adminWorld.ask('get', `/admin/users/${id}`);
    expect(status).toBe(200);
    return Detail.parse(body.data);
  };

  test('shows a user without any data', async () => {
    const user = await make.user(adminWorld.world.db);
    expect(await show(user.id)).toMatchObject({
      id: user.id,
      kyc: null,
      partner: null,
      security: { twoFactorEnabled: false, twoFactorMethod: null, activeSessions: 0 },
      stats: { ordersCount: 0, totalSpent: 0, commissionsEarned: 0, referralsCount: 0 },
      addresses: [],
      recentActivity: [],
      notes: [],
      lastLoginAt: null,
    });
  });

  test('shows partner, balances, referrals, sessions, second factor, addresses and KYC', async () => {
    const { db } = adminWorld.world;
    const sponsor = await make.partner(db, {
      userId: (await make.user(db, { firstName: 'Ann', lastName: 'Lee' })).id,
    });
    const buyer = await make.buyer(db, { kycLevel: 'STANDARD' });
    const partner = await make.partner(db, { userId: buyer.id, sponsorId: sponsor.id });
    await make.money(db, buyer.id, 1_250, 'partner_available');
    await make.money(db, buyer.id, 333, 'partner_pending');
    await make.money(db, buyer.id, 9_999, 'partner_available', 'EUR');
    await execute(db, `UPDATE users SET sponsor_id = $2 WHERE id = $1`, [
      (await make.user(db)).id,
      partner.id,
    ]);
    await execute(
      db,
      `INSERT INTO second_factors (user_id, method, created_at, enabled_at) VALUES ($1, 'SMS', now(), now())`,
      [buyer.id],
    );
    await execute(
      db,
      `UPDATE partner_standings SET rank_level = 2, highest_rank_level = 2, network_rank_level = 2, earned_minor = 1583
        WHERE partner_id = $1`,
      [partner.id],
    );
    const detail = await show(buyer.id);
    expect(detail.partner).toEqual({
      id: partner.id,
      referralCode: partner.referralCode,
      status: 'ACTIVE',
      rank: 'BUILDER',
      sponsorId: sponsor.id,
      sponsorName: 'Ann Lee',
      balance: { available: 12.5, pending: 3.33 },
    });
    expect(detail.kyc).toMatchObject({ status: 'APPROVED', level: 'STANDARD' });
    expect(detail.security).toMatchObject({ twoFactorEnabled: true, twoFactorMethod: 'SMS' });
    expect(detail.stats).toMatchObject({ referralsCount: 1, commissionsEarned: 15.83 });
    expect(detail.addresses).toEqual([
      { id: buyer.addressId, label: null, isDefault: true, city: 'Berlin', country: 'DE' },
    ]);
  });

  test('recent activity is of the user and of administrators, newest first, at most twenty', async () => {
    const { db } = adminWorld.world;
    const user = await make.user(db);
    for (let i = 0; i < 25; i++)
      await execute(
        db,
        `INSERT INTO sessions (id, user_id, ip_address, country, city, created_at, last_active_at, expires_at)
       VALUES ($1, $2, '192.0.2.1', 'DE', 'Berlin', now() - make_interval(hours => $3), now(), now() + interval '1 day')`,
        [v7(), user.id, i + 1],
      );
    const noted = await adminWorld.ask('patch', `/admin/users/${user.id}`, { note: 'Called.' });
    expect(noted.status).toBe(200);
    const { recentActivity, notes, security } = await show(user.id);
    expect(recentActivity).toHaveLength(20);
    expect(recentActivity[0]).toMatchObject({
      type: 'AUDIT',
      description: 'user.update',
      by: { id: adminWorld.admin.id, email: adminWorld.admin.email },
    });
    expect(recentActivity[1]).toMatchObject({
      type: 'SIGN_IN',
      description: 'Signed in from Berlin, DE',
      by: null,
    });
    expect(security.activeSessions).toBe(25);
    expect(notes).toMatchObject([{ content: 'Called.', createdBy: adminWorld.admin.id }]);
  });

  test('USER_NOT_FOUND, VALIDATION_ERROR, and for administrators only', async () => {
    const path = `/admin/users/${adminWorld.user.id}`;
    expect(outcomeOf(await adminWorld.ask('get', `/admin/users/${randomUUID()}`))).toBe('404 USER_NOT_FOUND');
    expect(outcomeOf(await adminWorld.ask('get', '/admin/users/me'))).toBe('400 VALIDATION_ERROR');
    expect(outcomeOf(await adminWorld.ask('get', path, undefined, null))).toBe('401 UNAUTHORIZED');
    expect(outcomeOf(await adminWorld.ask('get', path, undefined, adminWorld.tokens.user))).toBe(
      '403 FORBIDDEN',
    );
  });
});

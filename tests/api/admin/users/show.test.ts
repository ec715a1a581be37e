import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { z } from 'zod';
import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ worker: false });
});
afterAll(() => adminWorld.world.teardown());

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
      id: z.null(),
      status: z.string(),
      level: z.string(),
      submittedAt: z.null(),
      reviewedAt: z.null(),
      reviewedBy: z.null(),
      expiresAt: z.null(),
      documents: z.array(z.never()),
    })
    .nullable(),
  roles: z.array(z.string()),
  partner: z
    .strictObject({
      id: z.uuid(),
      referralCode: z.string(),
      status: z.string(),
      rank: z.null(),
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
  recentActivity: z.array(
    z.strictObject({
      type: z.enum(['SIGN_IN', 'ORDER', 'AUDIT']),
      description: z.string(),
      timestamp: moment,
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
  await execute(db, `UPDATE users SET sponsor_id = $2 WHERE id = $1`, [(await make.user(db)).id, partner.id]);
  await execute(
    db,
    `INSERT INTO second_factors (user_id, method, created_at, enabled_at) VALUES ($1, 'SMS', now(), now())`,
    [buyer.id],
  );
  const detail = await show(buyer.id);
  expect(detail.partner).toEqual({
    id: partner.id,
    referralCode: partner.referralCode,
    status: 'ACTIVE',
    rank: null,
    sponsorId: sponsor.id,
    sponsorName: 'Ann Lee',
    balance: { available: 12.5, pending: 3.33 },
  });
  expect(detail.kyc).toMatchObject({ status: 'APPROVED', level: 'STANDARD' });
  expect(detail.security).toMatchObject({ twoFactorEnabled: true, twoFactorMethod: 'SMS' });
  expect(detail.stats.referralsCount).toBe(1);
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
  expect(recentActivity[0]).toMatchObject({ type: 'AUDIT', description: 'user.update' });
  expect(recentActivity[1]).toMatchObject({ type: 'SIGN_IN', description: 'Signed in from Berlin, DE' });
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

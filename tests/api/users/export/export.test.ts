import { z } from 'zod';
import { execute, rows } from '../../../../db/sql/query';
import { moves } from '../../../support/builders/delivering';
import { eventually } from '../../../support/checks/eventually';
import { entriesExport } from '../../../../api/users/export/entries-export';
import { make } from '../../../support/builders/make';
import { orderRow } from '../../../support/builders/sandbox';
import { shopper } from '../../../support/builders/shop';
import { signIn } from '../../../support/builders/sign-in';
import { ownWorld } from '../../../support/worlds/world';
import { StrictAccount } from '../account.shape';

const world = ownWorld();

const moment = z.iso.datetime().nullable();
const Verification = z.strictObject({
  id: z.uuid(),
  status: z.string(),
  requestedLevel: z.string(),
  level: z.string().nullable(),
  personalInfo: z.looseObject({ documentNumber: z.string() }).nullable(),
  documents: z.array(
    z.strictObject({
      ...{ id: z.uuid(), type: z.string(), status: z.string(), reason: z.string().nullable() },
      ...{
        uploadedAt: z.iso.datetime(),
        fileName: z.string(),
        contentType: z.string(),
        size: z.int(),
        removedAt: moment,
      },
    }),
  ),
  requested: z.strictObject({ message: z.string(), documents: z.array(z.string()) }).nullable(),
  rejectionReason: z.string().nullable(),
  canResubmit: z.boolean(),
  createdAt: z.iso.datetime(),
  submittedAt: moment,
  reviewedAt: moment,
  expiresAt: moment,
  endedAt: moment,
  history: z.array(z.strictObject({ action: z.string(), at: z.iso.datetime() })),
});
const Export = z.strictObject({
  exportedAt: z.iso.datetime(),
  account: StrictAccount,
  emailVerifiedAt: moment,
  phoneVerifiedAt: moment,
  consents: z.strictObject({ termsAcceptedAt: moment, acceptedMarketing: z.boolean() }),
  referral: z.strictObject({ sponsorCode: z.string().nullable(), touch: z.looseObject({}).nullable() }),
  membership: z.looseObject({ referralCode: z.string(), referralUrl: z.string() }).nullable(),
  referralLinks: z.array(z.looseObject({ name: z.string(), clicks: z.int() })),
  commissionAdjustments: z.array(z.looseObject({ commissionId: z.uuid(), reason: z.string() })),
  rankHistory: z.array(z.looseObject({ achievedAt: z.iso.datetime(), reason: z.string().nullable() })),
  entranceFees: z.array(z.looseObject({ number: z.string(), status: z.string() })),
  entranceFeeRefunds: z.array(z.looseObject({ entranceNumber: z.string(), status: z.string() })),
  externalAccounts: z.array(z.string()),
  addresses: z.array(z.object({ id: z.uuid(), userId: z.never().optional() })),
  sessions: z.array(
    z.strictObject({
      id: z.uuid(),
      userAgent: z.string().nullable(),
      ipAddress: z.string(),
      deviceFingerprint: z.string().nullable(),
      location: z.strictObject({ country: z.string().nullable(), city: z.string().nullable() }),
      createdAt: z.iso.datetime(),
      lastActiveAt: z.iso.datetime(),
      endedAt: moment,
    }),
  ),
  orders: z.array(z.object({ id: z.uuid(), items: z.array(z.object({})) })),
  participationRefunds: z.array(
    z.strictObject({
      ...{ id: z.uuid(), participationId: z.uuid(), participationNumber: z.string(), status: z.string() },
      ...{ reason: z.string(), amount: z.number(), currency: z.string() },
      ...{ createdAt: z.iso.datetime(), completedAt: moment },
    }),
  ),
  refunds: z.array(
    z.strictObject({
      id: z.uuid(),
      orderId: z.uuid(),
      status: z.string(),
      reason: z.string(),
      description: z.string().nullable(),
      requestedAmount: z.number(),
      approvedAmount: z.number().nullable(),
      currency: z.string(),
      createdAt: z.iso.datetime(),
      decidedAt: moment,
    }),
  ),
  parcels: z.array(z.object({ orderId: z.uuid(), events: z.array(z.object({ description: z.string() })) })),
  reviews: z.array(
    z.strictObject({
      id: z.uuid(),
      product: z.strictObject({ id: z.uuid(), name: z.string() }),
      rating: z.int(),
      title: z.string().nullable(),
      content: z.string(),
      pros: z.array(z.string()),
      cons: z.array(z.string()),
      status: z.string(),
      response: z.string().nullable(),
      createdAt: z.iso.datetime(),
      updatedAt: moment,
    }),
  ),
  identityVerifications: z.array(Verification),
  foundHelpful: z.array(z.strictObject({ reviewId: z.uuid(), createdAt: z.iso.datetime() })),
  entries: z.array(
    z.strictObject({
      id: z.string(),
      account: z.string(),
      type: z.string(),
      amount: z.number(),
      currency: z.string(),
      reference: z.string(),
      orderId: z.uuid().nullable(),
      orderNumber: z.string().nullable(),
      participationId: z.uuid().nullable(),
      participationNumber: z.string().nullable(),
      entranceId: z.uuid().nullable(),
      entranceNumber: z.string().nullable(),
      topUpId: z.uuid().nullable(),
      topUpNumber: z.string().nullable(),
      createdAt: z.iso.datetime(),
    }),
  ),
  entriesComplete: z.boolean(),
  participations: z.array(z.never()),
  investmentWithdrawals: z.array(z.never()),
  payouts: z.array(z.never()),
  topUps: z.array(z.never()),
  topUpRefunds: z.array(z.never()),
  providerReports: z.array(z.never()),
});

const ask = (token: string) => world.http.get('/api/v1/users/me/export').auth(token, { type: 'bearer' });

test('200: all data of one user, as a file, and nothing of another', async () => {
  const product = await make.product(world.db);
  const wallet = { walletMinor: 1_000_000 };
  const [ada, eve] = [
    await shopper(world, [{ productId: product.id }], wallet),
    await shopper(world, [{ productId: product.id }], wallet),
  ];
  const { orderId } = await ada.order({ paymentMethod: 'BALANCE' });
  const others = await eve.order({ paymentMethod: 'BALANCE' });
  const [review, hers] = [
    await make.review(world.db, { productId: product.id, userId: ada.buyer.id, status: 'PENDING' }),
    await make.review(world.db, { userId: eve.buyer.id, helpfulTo: [ada.buyer.id] }),
  ];
  for (const sold of [orderId, others.orderId]) {
    await eventually(async () => expect((await orderRow(world, sold)).status).toBe('PROCESSING'));
    await moves(world, sold, 'SHIPPED');
  }
  for (const [person, sold] of [
    [ada, orderId],
    [eve, others.orderId],
  ] as const)
    await person.post(`/orders/${sold}/refund`, { reason: 'It does not fit.', description: 'Too long.' });
  const { status, headers, body, text } = await ask(ada.token);
  expect(status).toBe(200);
  expect(headers['content-disposition']).toMatch(/^attachment; filename="?account-\d{4}-\d\d-\d\d\.json"?$/);
  const exported = Export.parse(body.data);
  expect(exported.account.email).toBe(ada.buyer.email);
  expect(exported.orders.map(({ id }) => id)).toEqual([orderId]);
  expect(exported.refunds).toMatchObject([{ orderId, reason: 'It does not fit.', description: 'Too long.' }]);
  expect(exported.parcels.map((parcel) => [parcel.orderId, parcel.events.length])).toEqual([[orderId, 1]]);
  expect(exported.addresses.map(({ id }) => id)).toEqual([ada.buyer.addressId]);
  expect(exported.entries.map(({ amount }) => Math.sign(amount))).toEqual([-1, 1]);
  expect(exported.entriesComplete).toBe(true);
  expect(exported.sessions).toHaveLength(1);
  expect(exported.reviews).toMatchObject([
    { id: review.id, product: { id: product.id, name: product.name }, status: 'PENDING' },
  ]);
  expect(exported.foundHelpful.map(({ reviewId }) => reviewId)).toEqual([hers.id]);
  for (const theirs of [eve.buyer.id, eve.buyer.email, others.orderId]) expect(text).not.toContain(theirs);
});

test('of each account the newest movements only, and it says so', async () => {
  const { userId, partnerId } = await make.commission(world.db);
  await make.commission(world.db, { partnerId });
  await make.money(world.db, userId, 500);
  const amounts = async (most?: number) => {
    const { entries, entriesComplete } = await entriesExport(world.db, userId, most);
    return [entries.map(({ account, amount }) => `${account} ${amount}`), entriesComplete];
  };
  expect(await amounts()).toEqual([['wallet 5', 'partner_pending 10', 'partner_pending 10'], true]);
  expect(await amounts(2)).toEqual([['wallet 5', 'partner_pending 10', 'partner_pending 10'], true]);
  expect(await amounts(1)).toEqual([['wallet 5', 'partner_pending 10'], false]);
});

test('200: where a key is lost, all but the personal data under it', async () => {
  const user = await make.user(world.db);
  const { id } = await make.verification(world.db, { userId: user.id });
  await execute(world.db, 'UPDATE kyc_verifications SET personal_info = $2 WHERE id = $1', [
    ...[id, Buffer.from('under a lost key')],
  ]);
  const { status, body } = await ask(await signIn(world, user));
  expect(status).toBe(200);
  expect(Export.parse(body.data).identityVerifications).toMatchObject([{ id, personalInfo: null }]);
});

test('200: the own identity verifications, without the reviewer, their words, and the files', async () => {
  const reviewer = await make.superAdmin(world.db, { email: 'reviewer@example.com' });
  const user = await make.user(world.db);
  const first = await make.verification(world.db, {
    ...{ userId: user.id, status: 'REJECTED', decidedBy: reviewer.id },
  });
  const unanswered = await make.verification(world.db, {
    ...{ userId: user.id, status: 'EXPIRED', documents: [] },
    requestedMessage: 'Please photograph the whole page.',
  });
  const later = await make.verification(world.db, {
    ...{ userId: user.id, documents: first.documents, info: { documentNumber: 'LATER-77' } },
    status: 'SUBMITTED',
  });
  const others = await make.verification(world.db, { info: { documentNumber: 'OTHERS-88' } });
  await execute(
    world.db,
    `INSERT INTO kyc_history (id, kyc_id, action, performed_by, note, at)
     VALUES (gen_random_uuid(), $1, 'REJECTED', $2, 'Looks like a copy.'::text::bytea, now())`,
    [first.id, reviewer.id],
  );
  const { body, text } = await ask(await signIn(world, user));
  const { identityVerifications } = Export.parse(body.data);
  const documents = first.documents.map(({ id, type }) => ({ id, type }));
  expect(identityVerifications).toMatchObject([
    {
      id: later.id,
      status: 'SUBMITTED',
      personalInfo: { documentNumber: 'LATER-77' },
      documents,
      requested: null,
      history: [],
    },
    {
      ...{ id: unanswered.id, status: 'EXPIRED', documents: [], history: [] },
      requested: { message: 'Please photograph the whole page.', documents: [] },
    },
    {
      ...{ id: first.id, status: 'REJECTED', rejectionReason: 'DOCUMENT_BLURRY', documents },
      history: [{ action: 'REJECTED' }],
    },
  ]);
  const blobs = first.documents.map(({ fileBlob }) => fileBlob);
  for (const secret of [reviewer.id, reviewer.email, 'Looks like a copy', others.id, 'OTHERS-88', ...blobs])
    expect(text).not.toContain(secret);
});

test('200: the referral, the consents, and no secret', async () => {
  const user = await make.user(world.db);
  const sponsor = await make.user(world.db);
  const statements: [string, string[]][] = [
    [
      `INSERT INTO partners (id, user_id, referral_code, status, joined_at) VALUES ($1, $1, 'SPONSOR7', 'ACTIVE', now())`,
      [sponsor.id],
    ],
    [
      `UPDATE users SET sponsor_id = $2, accepted_marketing = true, terms_accepted_at = '2026-01-02T03:04:05Z',
         payout_method = 'CARD', payout_masked = '•••• 4242', payout_sealed = 'sealed-secret', payout_changed_at = now()
       WHERE id = $1`,
      [user.id, sponsor.id],
    ],
    [
      `INSERT INTO referral_touches (id, visitor, partner_id, partner_code, first_partner_code, first_touch_at,
         last_touch_at, landing_page, ip_address, last_utm_source, converted_user_id, converted_at)
       VALUES (gen_random_uuid(), 'v', $2, 'SPONSOR7', 'SPONSOR7', now(), now(), '/', '192.0.2.9', 'news', $1, now())`,
      [user.id, sponsor.id],
    ],
    [`INSERT INTO external_accounts VALUES ('https://id.example', 'subject-9', $1, now())`, [user.id]],
  ];
  for (const [statement, bind] of statements) await execute(world.db, statement, bind);
  const { body, text } = await ask(await signIn(world, user));
  expect(Export.parse(body.data)).toMatchObject({
    consents: { termsAcceptedAt: '2026-01-02T03:04:05.000Z', acceptedMarketing: true },
    referral: {
      sponsorCode: 'SPONSOR7',
      touch: { partnerCode: 'SPONSOR7', ipAddress: '192.0.2.9', last: { source: 'news', medium: null } },
    },
    externalAccounts: ['https://id.example'],
    account: { payoutDetails: { method: 'CARD', maskedDetails: '•••• 4242' } },
  });
  const hashes = await rows<{ secret: string }>(
    world.db,
    `SELECT password_hash AS secret FROM users WHERE id = $1
     UNION ALL SELECT t.token_hash FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id WHERE s.user_id = $1`,
    [user.id],
  );
  expect(hashes).toHaveLength(2);
  for (const { secret } of hashes) expect(text).not.toContain(secret);
  for (const word of ['sealed', 'hash', 'argon2']) expect(text.toLowerCase()).not.toContain(word);
});

test('200: the membership and the links of a partner; null and none without one', async () => {
  const user = await make.user(world.db);
  const token = await signIn(world, user);
  expect((await ask(token)).body.data).toMatchObject({ membership: null, referralLinks: [] });
  const partner = await make.partner(world.db, { userId: user.id });
  await world.http
    .post('/api/v1/mlm/referrals/links')
    .auth(token, { type: 'bearer' })
    .send({ name: 'Newsletter' });
  expect(Export.parse((await ask(token)).body.data)).toMatchObject({
    membership: { id: partner.id, referralCode: partner.referralCode, status: 'ACTIVE' },
    referralLinks: [{ name: 'Newsletter', campaign: null, clicks: 0 }],
  });
});

test('200: what administrators wrote about commissions and the rank of a partner, and nothing of others', async () => {
  const user = await make.user(world.db);
  const token = await signIn(world, user);
  expect((await ask(token)).body.data).toMatchObject({ commissionAdjustments: [], rankHistory: [] });
  const { id: partnerId } = await make.partner(world.db, { userId: user.id });
  const { id } = await make.commission(world.db, { partnerId, grossMinor: 1_000 });
  const other = await make.commission(world.db);
  const admin = await signIn(world, await make.admin(world.db));
  const decide = (path: string, body: object) =>
    world.http.post(`/api/v1/admin${path}`).auth(admin, { type: 'bearer' }).send(body).expect(200);
  await decide(`/commissions/${id}/adjust`, { action: 'HOLD', reason: 'A complaint.' });
  await decide(`/commissions/${id}/adjust`, {
    action: 'ADJUST_AMOUNT',
    newAmount: 9,
    reason: 'A part of it.',
  });
  await decide(`/commissions/${other.id}/adjust`, { action: 'HOLD', reason: 'Of somebody else.' });
  await decide(`/partners/${partnerId}/rank`, { rankCode: 'BUILDER', reason: 'Ten years with us.' });

  const { body } = await ask(token);
  const { commissionAdjustments, rankHistory } = Export.parse(body.data);
  expect(commissionAdjustments).toMatchObject([
    { commissionId: id, action: 'ADJUST_AMOUNT', previousAmount: 10, newAmount: 9, reason: 'A part of it.' },
    { commissionId: id, action: 'HOLD', newStatus: 'HELD', reason: 'A complaint.' },
  ]);
  expect(rankHistory).toMatchObject([{ rank: { code: 'BUILDER' }, bonus: 0, reason: 'Ten years with us.' }]);
  expect(JSON.stringify(body)).not.toContain('Of somebody else.');
});

import { postTransfer } from '../../../../db/ledger/ledger.transitions';
import { firstRow, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { make } from '../../../support/builders/make';
import type { MadeCommission } from '../../../support/builders/make/partners/commissions';
import { signIn } from '../../../support/builders/sign-in';
import { owedMessages } from '../../../support/checks/mail';
import { violations } from '../../../support/checks/violations';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../admin-world';

let admin: AdminWorld;
beforeAll(async () => {
  admin = await startAdminWorld({ worker: false });
});
afterAll(async () => {
  expect(await violations(admin.world.db)).toEqual([]);
  await admin.world.teardown();
});

/** A new administrator each time, since each may adjust ten times a minute. */
const adjust = async (id: string, body: object) => {
  const token = await signIn(admin.world, await make.admin(admin.world.db));
  return admin.ask('post', `/admin/commissions/${id}/adjust`, { reason: 'Looked into.', ...body }, token);
};

/** The status and net amount of a commission, its partner's balances and what the partner earned. */
const standing = async ({ id, partnerId, userId }: MadeCommission) => {
  const { db } = admin.world;
  const row = await firstRow<{ status: string; netMinor: number; earnedMinor: number }>(
    db,
    `SELECT c.status, c.net_minor, s.earned_minor FROM partner_commissions c
       JOIN partner_standings s ON s.partner_id = $2 WHERE c.id = $1`,
    [id, partnerId],
  );
  const balances = await rows<{ account: string; balanceMinor: number }>(
    db,
    `SELECT account, balance_minor FROM ledger_balances WHERE user_id = $1 AND account LIKE 'partner%'`,
    [userId],
  );
  const of = (account: string) => balances.find((one) => one.account === account)?.balanceMinor ?? 0;
  const places = `pending ${of('partner_pending')}, available ${of('partner_available')}`;
  return `${row!.status} ${row!.netMinor}: ${places}, earned ${row!.earnedMinor}`;
};

type Status = 'PENDING' | 'APPROVED' | 'PAID' | 'HELD' | 'REVERSED';
const NEVER = '400 CANNOT_ADJUST';
const MOVES: Record<string, Record<Status, string>> = {
  APPROVE: {
    PENDING: 'APPROVED 1000: pending 0, available 1000, earned 1000',
    HELD: 'APPROVED 1000: pending 0, available 1000, earned 1000',
    APPROVED: NEVER,
    PAID: NEVER,
    REVERSED: NEVER,
  },
  HOLD: {
    PENDING: 'HELD 1000: pending 1000, available 0, earned 1000',
    APPROVED: 'HELD 1000: pending 1000, available 0, earned 1000',
    HELD: NEVER,
    PAID: NEVER,
    REVERSED: NEVER,
  },
  REVERSE: {
    PENDING: 'REVERSED 1000: pending 0, available 0, earned 0',
    APPROVED: 'REVERSED 1000: pending 0, available 0, earned 0',
    HELD: 'REVERSED 1000: pending 0, available 0, earned 0',
    PAID: NEVER,
    REVERSED: NEVER,
  },
  ADJUST_AMOUNT: {
    PENDING: 'PENDING 750: pending 750, available 0, earned 750',
    APPROVED: 'APPROVED 750: pending 0, available 750, earned 750',
    HELD: 'HELD 750: pending 750, available 0, earned 750',
    PAID: NEVER,
    REVERSED: NEVER,
  },
};

const cases = Object.entries(MOVES).flatMap(([action, byStatus]) =>
  Object.entries(byStatus).map(([status, expected]) => [action, status as Status, expected] as const),
);

test.each(cases)('%s of a commission that is %s: %s', async (action, status, expected) => {
  const made = await make.commission(admin.world.db, { status });
  const answer = await adjust(made.id, { action, ...(action === 'ADJUST_AMOUNT' && { newAmount: 7.5 }) });
  const met = answer.status === 200 ? await standing(made) : outcomeOf(answer);
  expect(met).toBe(expected);
});

test('the answer says what was and what is, and the audit record has both', async () => {
  const { db } = admin.world;
  const { id } = await make.commission(db, { status: 'APPROVED' });
  const body = { action: 'ADJUST_AMOUNT', newAmount: 12.34, reason: 'The rate was wrong.' };
  const { body: answered } = await adjust(id, body);
  expect(answered.data).toEqual({
    id,
    ...{ previousStatus: 'APPROVED', newStatus: 'APPROVED', previousAmount: 10, newAmount: 12.34 },
    ...{ adjustedAt: expect.any(String) as string, adjustedBy: expect.any(String) as string },
    reason: 'The rate was wrong.',
  });
  const [record, ...more] = await rows<{ actorId: string; previous: object; next: object }>(
    db,
    `SELECT actor_id, previous, next FROM audit_records WHERE entity_id = $1`,
    [id],
  );
  expect(more).toEqual([]);
  expect(record).toEqual({
    actorId: answered.data.adjustedBy,
    previous: { status: 'APPROVED', netMinor: 1_000, currency: 'USD' },
    next: {
      ...{ decision: 'ADJUST_AMOUNT', status: 'APPROVED', netMinor: 1_234, currency: 'USD' },
      reason: 'The rate was wrong.',
    },
  });
  const held = await adjust(id, { action: 'HOLD' });
  expect(held.body.data).toMatchObject({ previousAmount: null, newAmount: null, newStatus: 'HELD' });
});

test('a mail tells the partner of HOLD, REVERSE and ADJUST_AMOUNT, with the reason, and not of APPROVE', async () => {
  const { db } = admin.world;
  const { id } = await make.commission(db);
  await adjust(id, { action: 'APPROVE' });
  await adjust(id, { action: 'ADJUST_AMOUNT', newAmount: 8 });
  await adjust(id, { action: 'HOLD' });
  await adjust(id, { action: 'REVERSE', reason: 'The order was a test.' });
  const mails = await owedMessages(db, `reference LIKE 'commission:' || $1 || ':%'`, [id]);
  expect(mails.map(({ subject }) => subject)).toEqual([
    'A commission was corrected',
    'A commission is on hold',
    'A commission was reversed',
  ]);
  expect(mails[0]!.text).toContain('10.00 USD was corrected to 8.00 USD');
  expect(mails[2]!.text).toContain('Reason: The order was a test.');
});

test('what refunds took back follows it, and bounds its amount', async () => {
  const { db } = admin.world;
  const made = await make.commission(db, { status: 'APPROVED' });
  const part = await make.commission(db, {
    ...{ partnerId: made.partnerId, sourceId: made.sourceId, reversalOf: made.id, status: 'APPROVED' },
    grossMinor: -400,
  });
  expect(outcomeOf(await adjust(part.id, { action: 'HOLD' }))).toBe('400 CANNOT_ADJUST');
  const low = await adjust(made.id, { action: 'ADJUST_AMOUNT', newAmount: 3.99 });
  expect([outcomeOf(low), low.body.error.details]).toEqual([
    '400 VALIDATION_ERROR',
    { newAmount: ['must be at least 4.00 USD, which refunds have taken back'] },
  ]);
  await adjust(made.id, { action: 'HOLD' });
  expect([await standing(made), await standing(part)]).toEqual([
    'HELD 1000: pending 600, available 0, earned 600',
    'HELD -400: pending 600, available 0, earned 600',
  ]);
  await adjust(made.id, { action: 'ADJUST_AMOUNT', newAmount: 4 });
  expect(await standing(made)).toBe('HELD 400: pending 0, available 0, earned 0');
  await adjust(made.id, { action: 'APPROVE' });
  await adjust(made.id, { action: 'REVERSE' });
  expect([await standing(made), await standing(part)]).toEqual([
    'REVERSED 400: pending 0, available 0, earned 0',
    'REVERSED -400: pending 0, available 0, earned 0',
  ]);
});

test('a reduction of what was spent already leaves the balance below zero', async () => {
  const { db } = admin.world;
  const made = await make.commission(db, { status: 'APPROVED' });
  await make.commission(db, { partnerId: made.partnerId, status: 'PAID', grossMinor: 1 });
  await inTransaction(db, (tx) =>
    postTransfer(tx, {
      reference: { kind: 'order-hold', subjectId: made.id, part: 'partner_available' },
      entries: [
        { account: 'partner_available', userId: made.userId, currency: 'USD', amountMinor: -900 },
        { account: 'payments', currency: 'USD', amountMinor: 900 },
      ],
      at: new Date(),
    }),
  );
  await adjust(made.id, { action: 'REVERSE' });
  expect(await standing(made)).toBe('REVERSED 1000: pending 0, available -900, earned 1');
});

test.each([
  ['no reason', { action: 'HOLD', reason: ' ' }, { reason: ['must not be empty'] }],
  ['an unknown action', { action: 'PAY' }, { action: expect.anything() as unknown }],
  [
    'no amount',
    { action: 'ADJUST_AMOUNT' },
    { newAmount: ['is required with ADJUST_AMOUNT, and with no other action'] },
  ],
  [
    'an amount',
    { action: 'HOLD', newAmount: 1 },
    { newAmount: ['is required with ADJUST_AMOUNT, and with no other action'] },
  ],
  ['below zero', { action: 'ADJUST_AMOUNT', newAmount: -0.01 }, { newAmount: expect.anything() as unknown }],
  [
    'more than the base',
    { action: 'ADJUST_AMOUNT', newAmount: 100.01 },
    { newAmount: ['must be at most 100.00 USD, of which it was computed'] },
  ],
  [
    'three decimals',
    { action: 'ADJUST_AMOUNT', newAmount: 1.001 },
    { newAmount: ['must have at most 2 decimals'] },
  ],
  ['the same', { action: 'ADJUST_AMOUNT', newAmount: 10 }, { newAmount: ['is the amount already'] }],
])('VALIDATION_ERROR for %s', async (_, body, details) => {
  const made = await make.commission(admin.world.db);
  const answer = await adjust(made.id, body);
  expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
  expect(answer.body.error.details).toEqual(details);
  expect(await standing(made)).toBe('PENDING 1000: pending 1000, available 0, earned 1000');
});

test('COMMISSION_NOT_FOUND for an unknown one, and FORBIDDEN for an own one', async () => {
  const { db } = admin.world;
  expect(outcomeOf(await adjust('01890000-0000-7000-8000-000000000000', { action: 'HOLD' }))).toBe(
    '404 COMMISSION_NOT_FOUND',
  );
  const user = await make.admin(db);
  const own = await make.commission(db, { partnerId: (await make.partner(db, { userId: user.id })).id });
  const token = await signIn(admin.world, user);
  const answer = await admin.ask(
    'post',
    `/admin/commissions/${own.id}/adjust`,
    { action: 'APPROVE', reason: 'Mine.' },
    token,
  );
  expect(outcomeOf(answer)).toBe('403 FORBIDDEN');
  expect(await standing(own)).toBe('PENDING 1000: pending 1000, available 0, earned 1000');
});

test('nobody adjusts a commission of a partner below the own one', async () => {
  const { db } = admin.world;
  const me = await make.admin(db);
  const own = await make.partner(db, { userId: me.id });
  const below = await make.partner(db, { sponsorId: own.id });
  const deep = await make.partner(db, { sponsorId: below.id });
  const made = await make.commission(db, { partnerId: deep.id });
  const body = { action: 'APPROVE', reason: 'Mine.' };
  const token = await signIn(admin.world, me);
  const answer = await admin.ask('post', `/admin/commissions/${made.id}/adjust`, body, token);
  expect([outcomeOf(answer), await standing(made)]).toEqual([
    '403 FORBIDDEN',
    'PENDING 1000: pending 1000, available 0, earned 1000',
  ]);
});

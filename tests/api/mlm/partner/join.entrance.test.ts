import { randomUUID } from 'node:crypto';
import { execute, firstRow } from '../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { sendChargeback } from '../../../support/builders/chargebacks';
import { walletMinor } from '../../../support/builders/investing/investors';
import { joiner, membershipState, type Joiner } from '../../../support/builders/partnering/joining';
import { make } from '../../../support/builders/make';
import { press, type SandboxButton } from '../../../support/builders/sandbox';
import { signIn } from '../../../support/builders/sign-in';
import { eventually } from '../../../support/checks/eventually';
import { held, waiting } from '../../../support/checks/held-locks';
import { ownCheckedWorld } from '../../../support/worlds/world';

let clerk: string;
const world = ownCheckedWorld({
  queues: ['interactive', 'ingest', ...PROVIDER_QUEUES],
  variables: { PARTNER_ENTRANCE_FEE: '49.90', POLICY_PAYMENT_ATTEMPTS: '3' },
});
beforeAll(async () => {
  clerk = await signIn(world, await make.admin(world.db));
});

const becomes = (ada: Joiner, state: object): Promise<void> =>
  eventually(async () => expect(await membershipState(world.db, ada.id)).toMatchObject(state));

/** A person who pays by card, after a button of the page was pressed. */
async function pressed(button: SandboxButton): Promise<Joiner> {
  const ada = await joiner(world);
  const { body } = await ada.join({ paymentMethod: 'CARD' });
  await press(world, body.data.payment.paymentUrl as string, button);
  return ada;
}

test('without a method: refused, with the field named', async () => {
  const answer = await (await joiner(world)).join();
  expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  expect(Object.keys(answer.body.error.details)).toEqual(['paymentMethod']);
});

test('by card: no partner before the page is paid', async () => {
  const ada = await joiner(world);
  const { status, body } = await ada.join({ paymentMethod: 'CARD' });
  expect(status).toBe(201);
  expect(body.data).toEqual({
    ...{ partnerId: null, referralCode: null, status: null, sponsor: null },
    payment: {
      ...{ method: 'CARD', amount: 49.9, currency: 'USD' },
      paymentUrl: expect.stringContaining('http'),
      expiresAt: expect.any(String),
    },
  });
  await press(world, body.data.payment.paymentUrl as string, 'pay');
  await becomes(ada, {
    ...{ partner: 'ACTIVE', entrances: ['PAID PAID'], attempts: ['CARD PAID'] },
    ledger: ['clearing_sandbox -4990', 'entrance_fees 4990'],
    ...{ events: ['entrance.paid', 'partner.joined'], mails: ['joined'], refunds: [] },
  });
  const handle = world.temporal.workflow.getHandle(`partner-entrance:${ada.id}`);
  expect(await handle.result()).toBe('JOINED');
  expect((await ada.join({ paymentMethod: 'CARD' })).body.error.code).toBe('ALREADY_PARTNER');
});

test('from the balance: a partner at once; the same key has the same answer', async () => {
  const [ada, key] = [await joiner(world, { walletMinor: 50_00 }), randomUUID()];
  const { status, body } = await ada.join({ paymentMethod: 'BALANCE' }, key);
  expect([status, body.data.status, body.data.payment]).toEqual([201, 'ACTIVE', null]);
  expect((await ada.join({ paymentMethod: 'BALANCE' }, key)).body.data).toEqual(body.data);
  expect(await membershipState(world.db, ada.id)).toMatchObject({
    ...{ partner: 'ACTIVE', entrances: ['PAID PAID'], attempts: [] },
    ledger: ['wallet -4990', 'entrance_fees 4990'],
    events: ['entrance.paid', 'partner.joined'],
  });
  expect(await walletMinor(world.db, ada.id)).toBe(10);
  const { id, number } = await entranceOf(ada);
  const wallet = await world.http.get('/api/v1/users/me/balance').auth(ada.token, { type: 'bearer' });
  expect(wallet.body.data.entries[0]).toMatchObject({
    ...{ type: 'ENTRANCE_FEE', amount: -49.9, entranceId: id, entranceNumber: number },
    ...{ orderId: null, participationId: null },
  });
});

test('from the balance for a fee that waited: a repetition whose answer was lost has the same answer', async () => {
  const [ada, key] = [await joiner(world, { walletMinor: 50_00 }), randomUUID()];
  await ada.join({ paymentMethod: 'CARD' });
  const { status, body } = await ada.join({ paymentMethod: 'BALANCE' }, key);
  expect([status, body.data.status]).toEqual([201, 'ACTIVE']);
  await execute(
    world.db,
    `UPDATE idempotency_keys SET state = 'OPEN', status = NULL, body = NULL WHERE key = $1`,
    [key],
  );
  const again = await ada.join({ paymentMethod: 'BALANCE' }, key);
  expect([again.status, again.body.data]).toEqual([201, body.data]);
  expect(await walletMinor(world.db, ada.id)).toBe(10);
});

test('a balance that does not cover it: refused, nothing is left', async () => {
  const ada = await joiner(world, { walletMinor: 49_89 });
  const answer = await ada.join({ paymentMethod: 'BALANCE' });
  expect([answer.status, answer.body.error.code]).toEqual([400, 'INSUFFICIENT_BALANCE']);
  expect(await membershipState(world.db, ada.id)).toMatchObject({ partner: null, entrances: [] });
});

test('asked again while it waits: the same payment, another by another method, and the balance pays it', async () => {
  const ada = await joiner(world, { walletMinor: 50_00 });
  const first = await ada.join({ paymentMethod: 'CARD' });
  const again = await ada.join({ paymentMethod: 'CARD' });
  expect(again.body.data.payment.paymentUrl).toBe(first.body.data.payment.paymentUrl);
  await ada.join({ paymentMethod: 'BANK_TRANSFER' });
  expect(await membershipState(world.db, ada.id)).toMatchObject({
    ...{ entrances: ['PENDING_PAYMENT PENDING'], attempts: ['CARD CANCELLED', 'BANK_TRANSFER PENDING'] },
  });
  expect((await ada.join({ paymentMethod: 'BALANCE' })).body.data.status).toBe('ACTIVE');
  expect(await membershipState(world.db, ada.id)).toMatchObject({
    ...{ partner: 'ACTIVE', entrances: ['PAID PAID'] },
    attempts: ['CARD CANCELLED', 'BANK_TRANSFER CANCELLED'],
  });
});

test('ten requests at once from the balance: one membership, paid once', async () => {
  const ada = await joiner(world, { walletMinor: 500_00 });
  await Promise.all(Array.from({ length: 10 }, () => ada.join({ paymentMethod: 'BALANCE' })));
  expect(await membershipState(world.db, ada.id)).toMatchObject({
    partner: 'ACTIVE',
    entrances: ['PAID PAID'],
  });
  expect(await walletMinor(world.db, ada.id)).toBe(450_10);
});

test('declined: it waits on', async () => {
  const ada = await pressed('decline');
  await becomes(ada, { partner: null, entrances: ['PENDING_PAYMENT FAILED'], attempts: ['CARD DECLINED'] });
});

test('paid late: cancelled, the money goes back, and they may join again', async () => {
  const ada = await pressed('pay-late');
  await becomes(ada, {
    partner: null,
    entrances: ['CANCELLED REFUNDED'],
    refunds: ['LATE_PAYMENT 4990 COMPLETED'],
  });
  expect((await ada.join({ paymentMethod: 'CARD' })).status).toBe(201);
  expect((await membershipState(world.db, ada.id)).entrances).toEqual([
    'CANCELLED REFUNDED',
    'PENDING_PAYMENT PENDING',
  ]);
});

test('paid twice: a partner, and the second money goes back', async () => {
  const ada = await pressed('pay-twice');
  await becomes(ada, { partner: 'ACTIVE', refunds: ['DUPLICATE_PAYMENT 4990 COMPLETED'] });
  const entrance = await entranceOf(ada);
  for (const name of [entrance.id, entrance.number]) {
    const list = await world.http
      .get('/api/v1/admin/payment-refunds')
      .query({ entrance: name })
      .auth(clerk, { type: 'bearer' });
    expect(list.body.data.refunds).toEqual([
      expect.objectContaining({ order: null, participation: null, entrance, amount: 49.9 }),
    ]);
  }
  const exported = await world.http.get('/api/v1/users/me/export').auth(ada.token, { type: 'bearer' });
  const money = { amount: 49.9, currency: 'USD', createdAt: expect.any(String) };
  expect(exported.body.data).toMatchObject({
    entranceFees: [
      {
        ...{ ...entrance, ...money, status: 'PAID', paymentMethod: 'CARD', paymentStatus: 'PAID' },
        paidAt: expect.any(String),
      },
    ],
    entranceFeeRefunds: [
      {
        ...{ ...money, entranceId: entrance.id, entranceNumber: entrance.number },
        ...{ status: 'COMPLETED', reason: 'DUPLICATE_PAYMENT', completedAt: expect.any(String) },
      },
    ],
  });
  const none = await world.http
    .get('/api/v1/admin/payment-refunds')
    .query({ entrance: 'ENT-2000-00000001' })
    .auth(clerk, { type: 'bearer' });
  expect(none.body.data.refunds).toEqual([]);
});

test('a chargeback is a loss, and asks an operator', async () => {
  const ada = await pressed('pay');
  await becomes(ada, { partner: 'ACTIVE' });
  const { id } = await entranceOf(ada);
  await sendChargeback(world, { entranceId: id }, 'payment.charged_back');
  await eventually(async () => {
    const list = await world.http.get('/api/v1/admin/operations').auth(clerk, { type: 'bearer' });
    expect(JSON.stringify(list.body.data)).toContain('the membership is ACTIVE');
  });
});

test('more attempts to pay than are allowed: refused as NOT_PAYABLE, and the last one still pays', async () => {
  const ada = await joiner(world);
  await ada.join({ paymentMethod: 'CARD' });
  await ada.join({ paymentMethod: 'BANK_TRANSFER' });
  const { body } = await ada.join({ paymentMethod: 'CARD' });
  const answer = await ada.join({ paymentMethod: 'BANK_TRANSFER' });
  expect([answer.status, answer.body.error.code]).toEqual([400, 'NOT_PAYABLE']);
  await press(world, body.data.payment.paymentUrl as string, 'pay');
  await becomes(ada, { partner: 'ACTIVE', entrances: ['PAID PAID'] });
});

test('an account that is closed while it joins: FORBIDDEN, and nothing is left', async () => {
  const ada = await joiner(world);
  const closing = await held(
    world.db,
    `WITH ended AS (UPDATE sessions SET revoked_at = now(), revoke_reason = 'REVOKED' WHERE user_id = '${ada.id}')
     UPDATE users SET status = 'BANNED' WHERE id = '${ada.id}'`,
  );
  const answered = Promise.resolve(ada.join({ paymentMethod: 'CARD' }));
  await waiting(world.db, 1);
  await closing.release();
  const answer = await answered;
  expect([answer.status, answer.body.error.code]).toEqual([403, 'FORBIDDEN']);
  expect(await membershipState(world.db, ada.id)).toMatchObject({
    partner: null,
    entrances: [],
    attempts: [],
  });
});

test('a card payment and joins from the balance at once: one membership, and what was paid twice goes back', async () => {
  const people = await Promise.all([1, 2, 3, 4].map(() => joiner(world, { walletMinor: 50_00 })));
  await Promise.all(
    people.map(async (ada) => {
      const { body } = await ada.join({ paymentMethod: 'CARD' });
      await Promise.all([
        press(world, body.data.payment.paymentUrl as string, 'pay'),
        ...Array.from({ length: 5 }, () => ada.join({ paymentMethod: 'BALANCE' })),
      ]);
      await becomes(ada, {
        ...{ partner: 'ACTIVE', entrances: ['PAID PAID'] },
        ...{ events: ['entrance.paid', 'partner.joined'], mails: ['joined'] },
      });
    }),
  );
  for (const ada of people)
    await eventually(async () => {
      const { ledger, refunds } = await membershipState(world.db, ada.id);
      const wallet = await walletMinor(world.db, ada.id);
      expect([
        {
          ledger: ['wallet -4990', 'entrance_fees 4990'],
          refunds: ['DUPLICATE_PAYMENT 4990 COMPLETED'],
          wallet: 10,
        },
        { ledger: ['clearing_sandbox -4990', 'entrance_fees 4990'], refunds: [], wallet: 50_00 },
      ]).toContainEqual({ ledger, refunds, wallet });
      // The sandbox has told of its payment.
      const captures = await firstRow<{ n: number }>(
        world.db,
        `SELECT count(*)::int AS n FROM payment_captures c JOIN partner_entrances f ON f.id = c.entrance_id
         WHERE f.user_id = $1`,
        [ada.id],
      );
      expect(captures!.n).toBe(1);
    });
});

async function entranceOf({ id }: { id: string }): Promise<{ id: string; number: string }> {
  const found = await firstRow<{ id: string; number: string }>(
    world.db,
    'SELECT id, number FROM partner_entrances WHERE user_id = $1',
    [id],
  );
  return found!;
}

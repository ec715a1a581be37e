import { randomUUID } from 'node:crypto';
import { execute, firstRow } from '../../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../../workers/queues';
import { sendChargeback } from '../../../../support/builders/chargebacks';
import { make } from '../../../../support/builders/make';
import { press, type SandboxButton } from '../../../../support/builders/sandbox';
import { signIn } from '../../../../support/builders/sign-in';
import { payer, TOP_UP_MINOR, topUpState, type Payer } from '../../../../support/builders/wallets/top-ups';
import { eventually } from '../../../../support/checks/eventually';
import { held, waiting } from '../../../../support/checks/held-locks';
import { ownCheckedWorld } from '../../../../support/worlds/world';

let clerk: string;
const world = ownCheckedWorld({ queues: ['interactive', 'ingest', ...PROVIDER_QUEUES] });
beforeAll(async () => {
  clerk = await signIn(world, await make.admin(world.db));
});

const becomes = (ada: Payer, state: object): Promise<void> =>
  eventually(async () => expect(await topUpState(world.db, ada.id)).toMatchObject(state));
const refusalOf = ({ status, body }: { status: number; body: { error: Refusal } }) => [
  status,
  body.error.code,
  body.error.reason ?? Object.keys(body.error.details ?? {}),
];
interface Refusal {
  code: string;
  reason?: string;
  details?: Record<string, unknown>;
}
interface Opened {
  ada: Payer;
  topUpId: string;
  paymentUrl: string;
}

/** A person who tops up by card. */
async function opened(body: object = {}): Promise<Opened> {
  const ada = await payer(world);
  const { data } = (await ada.topUp(body)).body;
  return { ada, topUpId: data.topUpId as string, paymentUrl: data.payment.paymentUrl as string };
}

/** The same after a button of the page was pressed. */
async function pressed(button: SandboxButton): Promise<Opened> {
  const made = await opened();
  await press(world, made.paymentUrl, button);
  return made;
}
const numberOf = async (id: string): Promise<string> =>
  (await firstRow<{ number: string }>(world.db, 'SELECT number FROM top_ups WHERE id = $1', [id]))!.number;

describe('POST /users/me/balance/top-up', () => {
  test.each(['CARD', 'EWALLET'] as const)(
    '201 %s: the page, and the money once it is paid',
    async (method) => {
      const ada = await payer(world);
      const { status, body } = await ada.topUp({ paymentMethod: method, amount: 250.5 });
      expect(status).toBe(201);
      expect(body.data).toEqual({
        topUpId: expect.any(String),
        payment: {
          ...{ method, amount: 250.5, currency: 'USD' },
          paymentUrl: expect.stringContaining('http'),
          expiresAt: expect.any(String),
        },
      });
      await press(world, body.data.payment.paymentUrl as string, 'pay');
      await becomes(ada, {
        ...{ topUps: ['PAID PAID'], attempts: [`${method} PAID`], walletMinor: 250_50 },
        ...{ ledger: ['clearing_sandbox -25050', 'wallet 25050'], mails: ['paid'], refunds: [] },
      });
      const handle = world.temporal.workflow.getHandle(`top-up:${body.data.topUpId}`);
      expect(await handle.result()).toBe('PAID');
      const wallet = await ada.get('');
      const topUpNumber = await numberOf(body.data.topUpId as string);
      expect(wallet.body.data.balances).toEqual([{ currency: 'USD', available: 250.5, held: 0 }]);
      expect(wallet.body.data.entries).toMatchObject([
        { type: 'TOP_UP', amount: 250.5, topUpId: body.data.topUpId, topUpNumber, orderId: null },
      ]);
    },
  );

  test('201 BANK_TRANSFER: our account, with its number as the purpose', async () => {
    const { body } = await (await payer(world)).topUp({ paymentMethod: 'BANK_TRANSFER' });
    const { topUpId, payment } = body.data;
    expect(payment).toMatchObject({
      ...{ method: 'BANK_TRANSFER', amount: 100, currency: 'USD' },
      bankDetails: { purpose: await numberOf(topUpId as string) },
    });
    expect(payment).not.toHaveProperty('paymentUrl');
  });

  test('201 again under its key: the same, also where the answer was lost; once it is paid, without a payment', async () => {
    const [ada, key] = [await payer(world), randomUUID()];
    const { body } = await ada.topUp({}, key);
    expect((await ada.topUp({}, key)).body.data).toEqual(body.data);
    const lose = () =>
      execute(
        world.db,
        `UPDATE idempotency_keys SET state = 'OPEN', status = NULL, body = NULL WHERE key = $1`,
        [key],
      );
    await lose();
    expect((await ada.topUp({}, key)).body.data).toEqual(body.data);
    await press(world, body.data.payment.paymentUrl as string, 'pay');
    await becomes(ada, { topUps: ['PAID PAID'] });
    await lose();
    const again = await ada.topUp({}, key);
    expect([again.status, again.body.data]).toEqual([201, { topUpId: body.data.topUpId, payment: null }]);
    expect((await topUpState(world.db, ada.id)).walletMinor).toBe(TOP_UP_MINOR);
  });

  test.each([
    ['below the least', { amount: 9.99 }, ['amount']],
    ['above the most', { amount: 10_000.01 }, ['amount']],
    ['nothing', { amount: 0 }, ['amount']],
    ['below nothing', { amount: -100 }, ['amount']],
    ['parts of a cent', { amount: 10.001 }, ['amount']],
    ['no number', { amount: '100' }, ['amount']],
    ['more than any', { amount: 1e300 }, ['amount']],
    ['from the balance', { paymentMethod: 'BALANCE' }, ['paymentMethod']],
    ['by no method', { paymentMethod: null }, ['paymentMethod']],
  ])('400 VALIDATION_ERROR: %s', async (_, body, fields) => {
    const ada = await payer(world);
    expect(refusalOf(await ada.topUp(body))).toEqual([400, 'VALIDATION_ERROR', fields]);
    expect((await topUpState(world.db, ada.id)).topUps).toEqual([]);
  });

  test('400 TOO_MANY_UNPAID_TOP_UPS: while three wait', async () => {
    const ada = await payer(world);
    const ids = [];
    for (let n = 0; n < 3; n++) ids.push((await ada.topUp()).body.data.topUpId as string);
    expect(refusalOf(await ada.topUp())).toEqual([400, 'VALIDATION_ERROR', 'TOO_MANY_UNPAID_TOP_UPS']);
    await ada.cancel(ids[0]!);
    expect((await ada.topUp()).status).toBe(201);
  });

  test('403 FORBIDDEN: an account that is closed while it asks, and nothing is left', async () => {
    const ada = await payer(world);
    const closing = await held(
      world.db,
      `WITH ended AS (UPDATE sessions SET revoked_at = now(), revoke_reason = 'REVOKED' WHERE user_id = '${ada.id}')
       UPDATE users SET status = 'BANNED' WHERE id = '${ada.id}'`,
    );
    const answered = Promise.resolve(ada.topUp());
    await waiting(world.db, 1);
    await closing.release();
    expect(refusalOf(await answered)).toEqual([403, 'FORBIDDEN', []]);
    expect(await topUpState(world.db, ada.id)).toMatchObject({ topUps: [], attempts: [] });
  });

  test('declined: it waits on, without a way to pay, until it is cancelled', async () => {
    const { ada, topUpId } = await pressed('decline');
    await becomes(ada, { topUps: ['PENDING_PAYMENT FAILED'], attempts: ['CARD DECLINED'] });
    const { body } = await ada.get(`/top-ups/${topUpId}`);
    expect(body.data).toMatchObject({ status: 'PENDING_PAYMENT', paymentStatus: 'FAILED', payment: null });
    expect((await ada.cancel(topUpId)).status).toBe(200);
  });

  test('paid late: cancelled, and the money goes back', async () => {
    const { ada } = await pressed('pay-late');
    await becomes(ada, {
      ...{ topUps: ['CANCELLED REFUNDED'], refunds: ['LATE_PAYMENT 10000 COMPLETED'], walletMinor: 0 },
    });
  });

  test('paid twice: in the wallet once; administrators and the export have what goes back', async () => {
    const { ada, topUpId } = await pressed('pay-twice');
    await becomes(ada, {
      ...{ topUps: ['PAID PAID'], refunds: ['DUPLICATE_PAYMENT 10000 COMPLETED'], walletMinor: TOP_UP_MINOR },
    });
    const topUp = { id: topUpId, number: await numberOf(topUpId) };
    const listed = (name: string) =>
      world.http.get('/api/v1/admin/payment-refunds').query({ topUp: name }).auth(clerk, { type: 'bearer' });
    for (const name of [topUp.id, topUp.number])
      expect((await listed(name)).body.data.refunds).toEqual([
        expect.objectContaining({ order: null, participation: null, entrance: null, topUp, amount: 100 }),
      ]);
    expect((await listed('TOP-2000-00000001')).body.data.refunds).toEqual([]);
    const exported = await world.http.get('/api/v1/users/me/export').auth(ada.token, { type: 'bearer' });
    const money = { amount: 100, currency: 'USD', createdAt: expect.any(String) };
    expect(exported.body.data).toMatchObject({
      topUps: [
        {
          ...{ ...topUp, ...money, status: 'PAID', paymentMethod: 'CARD', paymentStatus: 'PAID' },
          ...{ payment: null, expiresAt: null, paidAt: expect.any(String) },
        },
      ],
      topUpRefunds: [
        {
          ...{ ...money, topUpId, topUpNumber: topUp.number, status: 'COMPLETED' },
          ...{ reason: 'DUPLICATE_PAYMENT', completedAt: expect.any(String) },
        },
      ],
    });
  });

  test('a chargeback takes the money back; what is missing asks an operator', async () => {
    const { ada, topUpId } = await pressed('pay');
    await becomes(ada, { topUps: ['PAID PAID'] });
    await execute(
      world.db,
      `WITH spent AS (INSERT INTO ledger_transfers (id, kind, subject_id, created_at)
         VALUES (gen_random_uuid(), 'seed-wallet', $1, now()) RETURNING id)
       INSERT INTO ledger_entries (transfer_id, account, user_id, currency, amount_minor, created_at)
         SELECT id, line.account, line.user_id, 'USD', line.minor, now()
         FROM spent, (VALUES ('wallet', $2::uuid, -6000), ('payments', NULL, 6000)) AS line (account, user_id, minor)`,
      [randomUUID(), ada.id],
    );
    await sendChargeback(world, { topUpId }, 'payment.charged_back');
    await becomes(ada, { chargebacks: ['10000 TAKEN'], walletMinor: 0, mails: ['paid', 'taken-back'] });
    const entries = (await ada.get('')).body.data.entries as {
      type: string;
      amount: number;
      topUpId: string;
    }[];
    expect(entries[0]).toMatchObject({ type: 'TOP_UP_CHARGEBACK', amount: -40, topUpId });
    await eventually(async () => {
      const list = await world.http.get('/api/v1/admin/operations').auth(clerk, { type: 'bearer' });
      expect(JSON.stringify(list.body.data)).toContain('The wallet no longer held 60.00 USD of it');
    });
    const top = await world.http
      .get('/api/v1/admin/top-ups')
      .query({ topUp: topUpId })
      .auth(clerk, { type: 'bearer' });
    expect(top.body.data.topUps).toMatchObject([{ id: topUpId, status: 'PAID', chargedBackAmount: 100 }]);
  });

  test('a page paid ten times at once: one payment is in the wallet', async () => {
    const { ada, paymentUrl } = await opened();
    await Promise.allSettled(Array.from({ length: 10 }, () => press(world, paymentUrl, 'pay')));
    await becomes(ada, { topUps: ['PAID PAID'], walletMinor: TOP_UP_MINOR });
  });
});

describe('GET /users/me/balance/top-ups', () => {
  test('200: newest first, by page and by status; nobody sees those of others', async () => {
    const ada = await payer(world);
    await (await payer(world)).topUp();
    const ids = [];
    for (const paymentMethod of ['CARD', 'BANK_TRANSFER', 'EWALLET'])
      ids.unshift((await ada.topUp({ paymentMethod })).body.data.topUpId as string);
    await ada.cancel(ids[1]!);
    const listed = async (query: string) => {
      const { body } = await ada.get(`/top-ups${query}`);
      return [body.data.topUps.map(({ id }: { id: string }) => id), body.meta.pagination.total];
    };
    expect(await listed('')).toEqual([ids, 3]);
    expect(await listed('?pageSize=2&page=2')).toEqual([ids.slice(2), 3]);
    expect(await listed('?status=PENDING_PAYMENT')).toEqual([[ids[0], ids[2]], 2]);
    expect(await listed('?status=CANCELLED')).toEqual([[ids[1]], 1]);
    expect(refusalOf(await ada.get('/top-ups?status=LOST'))).toEqual([400, 'VALIDATION_ERROR', ['status']]);
    expect(refusalOf(await ada.get('/top-ups?pageSize=51'))).toEqual([400, 'VALIDATION_ERROR', ['pageSize']]);
  });
});

describe('GET /users/me/balance/top-ups/:id', () => {
  test('200: with the way to pay it while it can be paid', async () => {
    const { ada, topUpId, paymentUrl } = await opened();
    const { body } = await ada.get(`/top-ups/${topUpId}`);
    const expiresAt = expect.any(String) as string;
    expect(body.data).toEqual({
      ...{
        id: topUpId,
        number: await numberOf(topUpId),
        status: 'PENDING_PAYMENT',
        amount: 100,
        currency: 'USD',
      },
      ...{ paymentMethod: 'CARD', paymentStatus: 'PENDING', createdAt: expect.any(String), paidAt: null },
      ...{ expiresAt, payment: { method: 'CARD', amount: 100, currency: 'USD', paymentUrl, expiresAt } },
    });
    await execute(
      world.db,
      `UPDATE payment_attempts SET expires_at = now() - interval '1 minute' WHERE top_up_id = $1`,
      [topUpId],
    );
    expect((await ada.get(`/top-ups/${topUpId}`)).body.data).toMatchObject({ payment: null, expiresAt });
    await execute(
      world.db,
      `UPDATE payment_attempts SET expires_at = now() + interval '1 minute' WHERE top_up_id = $1`,
      [topUpId],
    );
  });

  test('404 TOP_UP_NOT_FOUND: of another user, and of none', async () => {
    const { topUpId } = await opened();
    const bob = await payer(world);
    for (const id of [topUpId, randomUUID()])
      expect(refusalOf(await bob.get(`/top-ups/${id}`))).toEqual([404, 'TOP_UP_NOT_FOUND', []]);
  });
});

describe('POST /users/me/balance/top-ups/:id/cancel', () => {
  test('200, and again: cancelled; its page says so', async () => {
    const { ada, topUpId, paymentUrl } = await opened();
    for (let times = 0; times < 2; times++) {
      const { status, body } = await ada.cancel(topUpId);
      expect([status, body.data]).toEqual([200, { topUpId, status: 'CANCELLED' }]);
    }
    await becomes(ada, { topUps: ['CANCELLED FAILED'], attempts: ['CARD EXPIRED'], mails: [] });
    const handle = world.temporal.workflow.getHandle(`top-up:${topUpId}`);
    expect(await handle.result()).toBe('CANCELLED');
    const url = new URL(paymentUrl);
    expect((await world.http.get(url.pathname + url.search)).text).toContain('This top-up was cancelled.');
  });

  test('400 CANNOT_CANCEL: a paid one', async () => {
    const { ada, topUpId } = await pressed('pay');
    await becomes(ada, { topUps: ['PAID PAID'] });
    expect(refusalOf(await ada.cancel(topUpId))).toEqual([400, 'CANNOT_CANCEL', []]);
  });

  test('404 TOP_UP_NOT_FOUND: of another user, which stays as it is', async () => {
    const { ada, topUpId } = await opened();
    const bob = await payer(world);
    expect(refusalOf(await bob.cancel(topUpId))).toEqual([404, 'TOP_UP_NOT_FOUND', []]);
    expect((await topUpState(world.db, ada.id)).topUps).toEqual(['PENDING_PAYMENT PENDING']);
  });

  test('and a payment at once: either it is in the wallet, or it is cancelled and the money goes back', async () => {
    await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const { ada, topUpId, paymentUrl } = await opened();
        await Promise.all([
          press(world, paymentUrl, 'pay').catch(() => undefined),
          ada.cancel(topUpId),
          ada.cancel(topUpId),
        ]);
        await eventually(async () => {
          const { topUps, refunds, walletMinor } = await topUpState(world.db, ada.id);
          expect([
            { topUps: ['PAID PAID'], refunds: [], walletMinor: TOP_UP_MINOR },
            { topUps: ['CANCELLED REFUNDED'], refunds: ['LATE_PAYMENT 10000 COMPLETED'], walletMinor: 0 },
            // The page was closed before it was paid.
            { topUps: ['CANCELLED FAILED'], refunds: [], walletMinor: 0 },
          ]).toContainEqual({ topUps, refunds, walletMinor });
        });
      }),
    );
  });
});

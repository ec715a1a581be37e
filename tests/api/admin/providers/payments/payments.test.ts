import { randomUUID } from 'node:crypto';
import { investmentFigures } from '../../../../../db/administration/operations/investment-figures.reads';
import { internalProvider } from '../../../../../db/investment/provider/provider.writes';
import { countDebts } from '../../../../../db/investment/provider-payment/provider-debt.transitions';
import { execute, rows } from '../../../../../db/sql/query';
import { inTransaction } from '../../../../../db/sql/transaction';
import { invested, PRINCIPAL_MINOR } from '../../../../support/builders/investing/invested';
import { withdrawnByHand } from '../../../../support/builders/investing/withdrawing';
import { make } from '../../../../support/builders/make';
import { violations } from '../../../../support/checks/violations';
import { atOnce } from '../../../../support/requests/at-once';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../../admin-world';
import { LOOK_ALIKES, UNSEEN } from '../../bank-references';
import { recordsOf } from '../../records';
import { debtDesk, owingProvider, paying } from '../owing';

let desk: AdminWorld;
let { enter, list, owes, booked } = {} as ReturnType<typeof debtDesk>;
beforeAll(async () => {
  desk = await startAdminWorld({ variables: { RATE_LIMIT_SCALE: '100' } });
  ({ enter, list, owes, booked } = debtDesk(desk));
});
afterAll(async () => {
  expect(await violations(desk.world.db)).toEqual([]);
  await desk.world.teardown();
});

const owing = async (): Promise<string> => (await owingProvider(desk)).code;
const reference = (): string => `BANK-${randomUUID()}`;
const refusedAs = ({ status, body }: { status: number; body: { error: object } }) => [status, body.error];
const alreadyUsed = (how: string, field = 'bankReference') => [
  400,
  expect.objectContaining({
    ...{ code: 'VALIDATION_ERROR', reason: 'TRANSFER_ALREADY_USED' },
    details: { [field]: [`is already recorded ${how}`] },
  }),
];

describe('POST /admin/providers/:code/payments', () => {
  test('201: it is booked from the provider to our bank, and the provider owes less at once', async () => {
    const code = await owing();
    const body = { ...paying({ amount: 400.5 }), note: ' Withdrawals of October. ' };
    const answer = await enter(code, body);
    expect(answer.status).toBe(201);
    const seen = { direction: 'RECEIVED', amount: 400.5, currency: 'USD', bankReference: body.bankReference };
    expect(answer.body.data).toEqual({
      ...{ id: expect.any(String), providerCode: code, ...seen, note: 'Withdrawals of October.' },
      ...{ recovered: 0, credited: 0, enteredBy: desk.admin.id, createdAt: expect.any(String) },
    });
    expect(await booked(code)).toEqual([
      { account: 'clearing_bank', minor: -400_50 },
      { account: 'clearing_provider_alpha', minor: 400_50 },
    ]);
    expect(await owes(code)).toEqual([599.5]);
    expect(await recordsOf(desk, 'provider', code)).toEqual([
      {
        ...{ actorId: desk.admin.id, action: 'provider.enter-payment' },
        previous: { owedMinor: 1_000_00, currency: 'USD' },
        next: {
          ...{
            owedMinor: 599_50,
            direction: 'RECEIVED',
            amountMinor: 400_50,
            recoveredMinor: 0,
            creditedMinor: 0,
          },
          ...{ currency: 'USD', bankReference: body.bankReference, note: 'Withdrawals of October.' },
        },
      },
    ]);
  });

  test('the alert ends with the payment, and the daily sum says the same', async () => {
    const code = await owing();
    const { db } = desk.world;
    const of = async () =>
      (await inTransaction(db, investmentFigures)).debts.find(({ provider }) => provider === code);
    const count = () => inTransaction(db, (tx) => countDebts(tx, new Date(), 999, '{"USD": 100}'));
    await execute(
      db,
      `INSERT INTO investment_provider_debts (provider_code, currency, owed_minor, counted_at, beyond_since)
      VALUES ($1, 'USD', 100000, now() - interval '1 day', now() - interval '1 day')`,
      [code],
    );
    expect((await of())!.beyondSeconds).toBeGreaterThan(80_000);
    await enter(code, paying({ amount: 0.01 }));
    expect(await of()).toMatchObject({ owedMinor: 999_99, beyondSeconds: 0 });
    await count();
    expect(await of()).toMatchObject({ owedMinor: 999_99 });
  });

  test('entered again by another administrator it is the same payment, whatever they note', async () => {
    const code = await owing();
    const body = paying({ note: 'First.' });
    const first = await enter(code, body);
    const again = await enter(code, { ...body, note: 'Second.' }, desk.tokens.superAdmin);
    expect([again.status, again.body.data]).toEqual([201, first.body.data]);
    expect(await booked(code)).toHaveLength(2);
    expect(await recordsOf(desk, 'provider', code)).toHaveLength(1);
    expect(await owes(code)).toEqual([600]);
  });

  test.each(LOOK_ALIKES)('%s is the same reference', async (_, like) => {
    const code = await owing();
    const body = paying();
    const { body: first } = await enter(code, body);
    const again = await enter(code, { ...body, bankReference: like(body.bankReference) });
    expect([again.status, again.body.data]).toEqual([201, first.data]);
  });

  test('two administrators who enter the same at once book it once', async () => {
    const code = await owing();
    const body = paying();
    const tokens = [desk.tokens.admin, desk.tokens.superAdmin];
    const answers = await atOnce(8, (n) => enter(code, body, tokens[n % 2]));
    expect(answers.map(outcomeOf)).toEqual(Array(8).fill('201'));
    expect(new Set(answers.map((answer) => answer.body.data.id as string)).size).toBe(1);
    expect(await booked(code)).toHaveLength(2);
  });

  test('of payments at once no more are booked than the provider owes', async () => {
    const code = await owing();
    const answers = await atOnce(8, () => enter(code, paying({ amount: 450 })));
    expect(answers.map(outcomeOf).sort()).toEqual([
      ...['201', '201'],
      ...Array<string>(6).fill('400 VALIDATION_ERROR'),
    ]);
    expect(await owes(code)).toEqual([100]);
  });

  test('MORE_THAN_OWED: what a provider holds of investments that run is not owed', async () => {
    const code = await owing();
    expect(refusedAs(await enter(code, paying({ amount: 1_000.01 })))).toEqual([
      400,
      expect.objectContaining({
        ...{ code: 'VALIDATION_ERROR', reason: 'MORE_THAN_OWED' },
        message: 'This provider owes 1000.00 USD.',
        details: { amount: ['must be at most 1000.00 USD'] },
      }),
    ]);
    expect(outcomeOf(await enter(code, paying({ amount: 1_000 })))).toBe('201');
    expect(await owes(code)).toEqual([0]);
    expect((await enter(code, paying({ amount: 0.01 }))).body.error.reason).toBe('MORE_THAN_OWED');
  });

  test('MORE_THAN_OWED: one that never had money, and the platform itself, owe nothing', async () => {
    const { db } = desk.world;
    const { code } = await make.provider(db);
    const internal = await inTransaction(db, (tx) => internalProvider(tx, new Date()));
    const { id: strategyId } = await make.strategy(db, { providerCode: internal });
    await make.participation(db, { strategyId, status: 'MATURED' });
    for (const one of [code, internal])
      expect((await enter(one, paying())).body.error).toMatchObject({
        ...{ reason: 'MORE_THAN_OWED', details: { amount: ['must be at most 0.00 USD'] } },
      });
    expect((await enter(internal, paying({ ahead: true }))).body.error.reason).toBe('MORE_THAN_OWED');
    expect(outcomeOf(await enter(code, paying({ ahead: true })))).toBe('201');
    expect(await owes(code)).toEqual([-400]);
  });

  test('SENT: it goes back, is owed again, and is never more than was received', async () => {
    const code = await owing();
    const sends = (amount: number) => enter(code, paying({ direction: 'SENT', amount }));
    expect(refusedAs(await sends(1))).toEqual([
      400,
      expect.objectContaining({
        ...{ code: 'VALIDATION_ERROR', reason: 'MORE_THAN_RECEIVED' },
        details: { amount: ['must be at most 0.00 USD'] },
      }),
    ]);
    await enter(code, paying({ amount: 500 }));
    const back = await sends(120);
    expect(back.body.data).toMatchObject({ direction: 'SENT', amount: 120 });
    expect((await booked(code)).slice(-2)).toEqual([
      { account: 'clearing_bank', minor: 120_00 },
      { account: 'clearing_provider_alpha', minor: -120_00 },
    ]);
    expect(await owes(code)).toEqual([620]);
    expect((await sends(380.01)).body.error.details).toEqual({ amount: ['must be at most 380.00 USD'] });
    const answers = await atOnce(4, () => sends(200));
    expect(answers.map(outcomeOf).sort()).toEqual(['201', ...Array<string>(3).fill('400 VALIDATION_ERROR')]);
    expect(await owes(code)).toEqual([820]);
  });

  test('PROVIDER_NOT_FOUND', async () => {
    expect(outcomeOf(await enter('nobody', paying()))).toBe('404 PROVIDER_NOT_FOUND');
    expect(outcomeOf(await desk.ask('get', '/admin/providers/nobody/payments'))).toBe(
      '404 PROVIDER_NOT_FOUND',
    );
  });

  test.each<[string, unknown]>([
    ['amount', 0],
    ['amount', -5],
    ['amount', 0.001],
    ['amount', 1_000_000_000.01],
    ['amount', '400'],
    ['currency', 'EUR'],
    ['currency', 'usd'],
    ['direction', 'LOST'],
    ['ahead', 'yes'],
    ['bankReference', 'x'.repeat(201)],
    ['note', 'x'.repeat(501)],
    ...UNSEEN.map((unseen): [string, unknown] => ['bankReference', unseen]),
  ])('VALIDATION_ERROR names %s: %p', async (field, value) => {
    const code = await owing();
    const answer = await enter(code, paying({ [field]: value }));
    expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
    expect(Object.keys(answer.body.error.details as object)).toEqual([field]);
    expect(await booked(code)).toEqual([]);
  });

  test.each(['investment_provider_payments', 'ledger_transfers', 'ledger_entries', 'audit_records'])(
    'killed before its line in %s is written it leaves nothing, and can be entered again',
    async (table) => {
      const code = await owing();
      const body = paying();
      const { db, owner } = desk.world;
      await execute(
        owner,
        `CREATE FUNCTION lose_it() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''It is gone.''; END'`,
      );
      await execute(owner, `CREATE TRIGGER lose_it BEFORE INSERT ON ${table} EXECUTE FUNCTION lose_it()`);
      const failed = await enter(code, body);
      await execute(owner, 'DROP FUNCTION lose_it() CASCADE');
      expect(failed.status).toBe(500);
      expect([await booked(code), (await list(code)).data.payments]).toEqual([[], []]);
      expect(
        await rows(db, 'SELECT 1 FROM investment_provider_debts WHERE provider_code = $1', [code]),
      ).toEqual([]);
      expect(outcomeOf(await enter(code, body))).toBe('201');
      expect(await owes(code)).toEqual([600]);
    },
  );
});

describe('a bank reference is of one payment', () => {
  test.each([
    ['with another amount', { amount: 401 }],
    ['in the other direction', { direction: 'SENT' }],
  ])('TRANSFER_ALREADY_USED %s', async (how, other) => {
    const code = await owing();
    const body = paying();
    await enter(code, body);
    expect(refusedAs(await enter(code, { ...body, ...other }))).toEqual(alreadyUsed(how));
    expect(await booked(code)).toHaveLength(2);
  });

  test('TRANSFER_ALREADY_USED for another provider, also at once', async () => {
    const [alpha, beta] = [await owing(), await owing()];
    const body = paying();
    const answers = await atOnce(6, (n) => enter(n % 2 === 0 ? alpha : beta, body));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(refusedAs)).toEqual(Array(3).fill(alreadyUsed('for another provider')));
    expect([...(await booked(alpha)), ...(await booked(beta))]).toHaveLength(2);
  });

  test('TRANSFER_ALREADY_USED for what a user has paid by bank', async () => {
    const code = await owing();
    const used = reference();
    const { offer } = await invested(desk.world.db, { method: 'BANK_TRANSFER' });
    const transfer = { purpose: offer.bankDetails?.purpose, amount: PRINCIPAL_MINOR / 100 };
    const paid = await desk.ask('post', '/admin/bank-transfers', { ...transfer, transactionId: used });
    expect(paid.status).toBe(200);
    expect(refusedAs(await enter(code, paying({ bankReference: used.toLowerCase() })))).toEqual(
      alreadyUsed('for another payment'),
    );
  });

  test('and the other way round: no user pays by the reference of a provider, and no payout is settled by it', async () => {
    const code = await owing();
    const { bankReference } = (await enter(code, paying())).body.data;
    const { offer } = await invested(desk.world.db, { method: 'BANK_TRANSFER' });
    const transfer = { purpose: offer.bankDetails?.purpose, amount: PRINCIPAL_MINOR / 100 };
    const paid = await desk.ask('post', '/admin/bank-transfers', {
      ...transfer,
      transactionId: bankReference,
    });
    expect(refusedAs(paid)).toEqual(alreadyUsed('as a payment of an investment provider', 'transactionId'));
    const withdrawalId = await withdrawnByHand(desk.world.db);
    const settle = (by: string) =>
      desk.ask('post', `/admin/withdrawals/${withdrawalId}/settle`, { reference: by });
    expect(refusedAs(await settle(bankReference))).toEqual(alreadyUsed('for another payment', 'reference'));
    const sent = reference();
    expect(outcomeOf(await settle(sent))).toBe('200');
    expect(refusedAs(await enter(code, paying({ bankReference: sent })))).toEqual(
      alreadyUsed('for another payment'),
    );
  });

  test('a user and a provider at once: one of them has it', async () => {
    const code = await owing();
    const used = reference();
    const { offer } = await invested(desk.world.db, { method: 'BANK_TRANSFER' });
    const transfer = { purpose: offer.bankDetails?.purpose, amount: PRINCIPAL_MINOR / 100 };
    const answers = await atOnce(2, (n) =>
      n === 0
        ? enter(code, paying({ bankReference: used }))
        : desk.ask('post', '/admin/bank-transfers', { ...transfer, transactionId: used }),
    );
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(1);
  });
});

describe('GET /admin/providers/:code/payments', () => {
  test('lists them newest first, page by page, of this provider only', async () => {
    const code = await owing();
    await enter(await owing(), paying());
    for (const amount of [1, 2, 3]) await enter(code, paying({ amount }));
    const { data, meta } = await list(code, '?pageSize=2');
    expect(data.payments.map(({ amount }: { amount: number }) => amount)).toEqual([3, 2]);
    expect(meta.pagination).toMatchObject({ total: 3, totalPages: 2 });
    const second = await list(code, '?pageSize=2&page=2');
    expect(second.data.payments).toMatchObject([{ amount: 1, direction: 'RECEIVED', note: null }]);
  });

  test('neither is for users', async () => {
    const code = await owing();
    const { user } = desk.tokens;
    expect(outcomeOf(await enter(code, paying(), user))).toBe('403 FORBIDDEN');
    const path = `/admin/providers/${code}/payments`;
    expect(outcomeOf(await desk.ask('get', path, undefined, user))).toBe('403 FORBIDDEN');
    expect(outcomeOf(await desk.ask('get', path, undefined, null))).toBe('401 UNAUTHORIZED');
  });
});

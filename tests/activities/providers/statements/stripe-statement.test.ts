import type { StatementMovement, ProviderStatement } from '../../../../activities/providers/statements/port';
import { stripeStatement } from '../../../../activities/providers/payments/stripe/statement/statement';
import { FakeStripe, type StripeMood } from '../../../support/fakes/fake-stripe';
import type { BalanceTransaction } from '../../../support/fakes/stripe-balance';
import { startStripeMock, type StripeMock } from '../../../support/servers/stripe-mock';

const FROM = new Date('2026-03-04T00:00:00Z');
const TO = new Date('2026-03-05T00:00:00Z');
const seconds = (at: Date): number => at.getTime() / 1_000;
const NOON = seconds(FROM) + 12 * 3_600;

const day = (cursor: string | null = null) => ({ from: FROM, to: TO, cursor });

describe('a Stripe with a balance', () => {
  let bank: FakeStripe;
  let statement: ProviderStatement;
  beforeAll(async () => {
    bank = await FakeStripe.start();
    statement = stripeStatement({ secretKey: 'sk_test_1', apiBase: bank.url });
  });
  afterAll(() => bank.stop());
  beforeEach(() => {
    bank.mood = 'answers';
    bank.requests.length = 0;
    bank.state.balance.length = 0;
  });

  let made = 0;
  const transaction = (type: string, amount: number, more: Partial<BalanceTransaction> = {}): string => {
    const id = `txn_${++made}`;
    const usual = { id, type, reporting_category: type, amount, fee: 0, currency: 'usd', created: NOON };
    bank.state.balance.push({ ...usual, source: null, ...more });
    return id;
  };
  const object = (name: string, id: string, amount: number, more: object = {}) => ({
    source: { object: name, id, amount, currency: 'usd', metadata: {}, ...more },
  });
  const wholeDay = async (): Promise<StatementMovement[]> => {
    const movements: StatementMovement[] = [];
    for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
      const page: Awaited<ReturnType<ProviderStatement['listMovements']>> = await statement.listMovements(
        day(cursor),
      );
      movements.push(...page.movements);
      cursor = page.cursor;
    }
    return movements;
  };
  /** The movements of the day, the oldest first, without times, which are all noon. */
  const said = async () =>
    (await wholeDay()).reverse().map(({ at, ...movement }) => {
      expect(at).toEqual(new Date(NOON * 1_000));
      return movement;
    });

  test('payments, refunds and transfers have our keys, their own amounts and currencies, and their fees', async () => {
    const charge = { payment_intent: 'pi_1', metadata: { attempt_id: 'a-1' }, currency: 'eur' };
    const paid = transaction('charge', 1_090, { fee: 45, ...object('charge', 'ch_1', 1_000, charge) });
    transaction('refund', -400, object('refund', 're_1', 400, { metadata: { refund_id: 'r-1' } }));
    transaction('transfer', -300, object('transfer', 'tr_1', 300, { metadata: { transfer_key: 'w:2' } }));
    transaction('payment', 700, object('charge', 'py_1', 700));
    expect(await said()).toEqual([
      { kind: 'FEE', providerId: paid, reference: null, amountMinor: 45, currency: 'USD' },
      { kind: 'CAPTURE', providerId: 'pi_1', reference: 'a-1', amountMinor: 1_000, currency: 'EUR' },
      { kind: 'REFUND', providerId: 're_1', reference: 'r-1', amountMinor: 400, currency: 'USD' },
      { kind: 'TRANSFER_OUT', providerId: 'tr_1', reference: 'w:2', amountMinor: 300, currency: 'USD' },
      { kind: 'CAPTURE', providerId: 'py_1', reference: null, amountMinor: 700, currency: 'USD' },
    ]);
  });

  test('a dispute that takes money, and gives it back, has its fees under its own id', async () => {
    const dispute = object('dispute', 'du_1', 900);
    const taken = transaction('adjustment', -900, { fee: 1_500, reporting_category: 'dispute', ...dispute });
    const won = transaction('adjustment', 900, {
      fee: -1_500,
      reporting_category: 'dispute_reversal',
      ...dispute,
    });
    const of = { reference: null, currency: 'USD' };
    expect(await said()).toEqual([
      { kind: 'FEE', providerId: taken, reference: 'du_1', amountMinor: 1_500, currency: 'USD' },
      { ...of, kind: 'CHARGEBACK', providerId: taken, chargebackId: 'du_1', amountMinor: 900 },
      { kind: 'FEE', providerId: won, reference: 'du_1', amountMinor: -1_500, currency: 'USD' },
      { ...of, kind: 'CHARGEBACK_RETURNED', providerId: won, chargebackId: 'du_1', amountMinor: 900 },
    ]);
  });

  test('what failed or was reversed undoes what it was of', async () => {
    const refund = transaction('adjustment', 400, {
      ...{ reporting_category: 'refund_failure', ...object('refund', 're_1', 400) },
    });
    const charge = transaction('payment_failure_refund', -700, {
      ...object('charge', 'py_1', 700, { payment_intent: { id: 'pi_7' } }),
    });
    const reversal = transaction('transfer_refund', 100, {
      ...object('transfer_reversal', 'trr_1', 100, { transfer: 'tr_1' }),
    });
    const of = { reference: null, currency: 'USD' };
    expect(await said()).toEqual([
      { ...of, kind: 'REFUND', providerId: refund, reverses: 're_1', amountMinor: -400 },
      { ...of, kind: 'CAPTURE', providerId: charge, reverses: 'pi_7', amountMinor: -700 },
      { ...of, kind: 'TRANSFER_OUT', providerId: reversal, reverses: 'tr_1', amountMinor: -100 },
    ]);
  });

  test('money between our own accounts is not listed, but what Stripe keeps of it is', async () => {
    const payout = (id: string, automatic: boolean) => object('payout', id, 60, { automatic });
    transaction('payout', -60, payout('po_1', true));
    const instant = transaction('payout', -60, { fee: 2, ...payout('po_2', false) });
    transaction('payout_failure', 60, payout('po_2', false));
    transaction('payout_cancel', 60, payout('po_1', true));
    transaction('topup', 8, object('topup', 'tu_1', 8));
    transaction('topup_reversal', -8, object('topup', 'tu_1', 8));
    expect(await said()).toEqual([
      { kind: 'FEE', providerId: instant, reference: null, amountMinor: 2, currency: 'USD' },
    ]);
  });

  test('fees of their own are listed, and reserves are not; nothing unknown is hidden', async () => {
    const fee = transaction('stripe_fee', -200);
    const credit = transaction('adjustment', 30, { reporting_category: 'fee' });
    transaction('reserve_transaction', -100);
    const unknown = transaction('anticipation_repayment', -7);
    const incoming = transaction('inbound_transfer', 8, object('inbound_transfer', 'ibt_1', 8));
    const of = { reference: null, currency: 'USD' };
    expect(await said()).toEqual([
      { ...of, kind: 'FEE', providerId: fee, amountMinor: 200 },
      { ...of, kind: 'FEE', providerId: credit, amountMinor: -30 },
      { ...of, kind: 'TRANSFER_OUT', providerId: unknown, amountMinor: 7 },
      { ...of, kind: 'CAPTURE', providerId: incoming, amountMinor: 8 },
    ]);
  });

  test('a day of several pages is whole, without what is before it or after', async () => {
    for (let n = 0; n < 250; n++)
      transaction('charge', 100 + n, {
        ...object('charge', `ch_${n}`, 100 + n),
        created: seconds(FROM) + Math.floor(n / 3),
      });
    transaction('charge', 1, { ...object('charge', 'before', 1), created: seconds(FROM) - 1 });
    transaction('charge', 1, { ...object('charge', 'after', 1), created: seconds(TO) });
    const movements = await wholeDay();
    expect(bank.requests).toHaveLength(3);
    expect(movements.map(({ amountMinor }) => amountMinor).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 250 }, (_, n) => 100 + n),
    );
    const { cursor } = await statement.listMovements(day());
    const [second, again] = [
      await statement.listMovements(day(cursor)),
      await statement.listMovements(day(cursor)),
    ];
    expect(second).toEqual(again);
  });

  test.each(['empty', 'repeated'] as const)(
    'one that goes on behind an %s page is thrown: neither taken for whole nor read for ever',
    async (endless) => {
      const last = transaction('charge', 100, object('charge', 'ch_1', 100));
      bank.endlessLists = endless;
      await expect(statement.listMovements(day(last))).rejects.toThrow('goes on, and not where');
      bank.endlessLists = null;
      expect((await statement.listMovements(day())).cursor).toBeNull();
    },
  );

  test.each(['fails', 'is busy', 'knows no key', 'loses the answer'] satisfies StripeMood[])(
    'one that %s is thrown, and is read when it answers again',
    async (mood) => {
      transaction('charge', 100, object('charge', 'ch_1', 100));
      bank.mood = mood;
      await expect(statement.listMovements(day())).rejects.toThrow();
      bank.mood = 'answers';
      expect((await statement.listMovements(day())).movements).toHaveLength(1);
    },
  );
});

describe('Stripe’s own mock', () => {
  let mock: StripeMock;
  beforeAll(async () => {
    mock = await startStripeMock();
  });
  afterAll(() => mock.stop());

  test('it understands what is asked, and its answer is read', async () => {
    const statement = stripeStatement({ secretKey: 'sk_test_1', apiBase: mock.url });
    const { movements } = await statement.listMovements(day());
    expect(movements.length).toBeGreaterThan(0);
    for (const { kind, providerId, currency } of movements)
      expect([kind, providerId, currency]).toEqual([
        expect.stringMatching(/^[A-Z_]+$/),
        expect.any(String),
        expect.stringMatching(/^[A-Z]{3}$/),
      ]);
  });
});

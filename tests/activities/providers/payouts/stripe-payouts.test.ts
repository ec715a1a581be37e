import { inspect } from 'node:util';
import { v7 } from 'uuid';
import { requireNamed } from '../../../../activities/providers/payouts/attempted-transfer';
import type { PayoutProvider } from '../../../../activities/providers/payouts/port';
import { sendOut } from '../../../../activities/providers/payouts/send-out';
import { stripePayouts } from '../../../../activities/providers/payments/stripe/payouts';
import { connectStripe } from '../../../../activities/providers/payments/stripe/client';
import type { Destination } from '../../../../workflows/commerce/payout/destination.rules';
import { PROVIDER_CALL_MS } from '../../../../workflows/kit/limits/provider-times';
import { FakeStripe, type StripeMood } from '../../../support/fakes/fake-stripe';
import { startStripeMock, type StripeMock } from '../../../support/servers/stripe-mock';

const ADA = { method: 'EWALLET', accountHolder: 'Ada Lovelace', walletId: 'acct_ada' } as const;

const orderOf = (change: object = {}) => ({
  ...{ key: v7(), amountMinor: 5_000, currency: 'USD', destination: ADA as Destination },
  ...change,
});

describe('Stripe', () => {
  let bank: FakeStripe;
  let silentBank: FakeStripe;
  let stripe: PayoutProvider;
  /** Calls that a silent Stripe leaves unanswered: begun first and looked at last, since giving up takes long. */
  let unanswered: Promise<{ calls: PromiseSettledResult<unknown>[]; afterMs: number }>;

  const providerAt = (apiBase: string) => stripePayouts({ secretKey: 'sk_test_1', apiBase });
  beforeAll(async () => {
    [bank, silentBank] = [await FakeStripe.start(), await FakeStripe.start()];
    stripe = providerAt(bank.url);
    unanswered = callsUnanswered();
  });
  afterAll(async () => {
    await unanswered;
    await Promise.all([bank.stop(), silentBank.stop()]);
  });
  beforeEach(() => {
    bank.mood = 'answers';
    bank.state.balanceMinor = 1_000_000;
    bank.requests.length = 0;
  });

  async function callsUnanswered() {
    silentBank.mood = 'is silent';
    const began = Date.now();
    const asked = providerAt(silentBank.url);
    const calls = await Promise.allSettled([asked.sendTransfer(orderOf()), asked.lookUpTransfer(v7())]);
    return { calls, afterMs: Date.now() - began };
  }

  test('moves the money to the connected account, with our key in the transfer', async () => {
    const order = orderOf();
    await stripe.sendTransfer(order);
    const [transfer] = bank.state.transfersOf(order.key);
    expect(transfer).toMatchObject({
      ...{ amount: 5_000, currency: 'usd', destination: 'acct_ada', metadata: { transfer_key: order.key } },
    });
    expect(await stripe.lookUpTransfer(order.key)).toEqual({
      ...{ status: 'arrived', transferId: transfer!.id, amountMinor: 5_000, currency: 'USD' },
    });
  });

  test('finds a transfer whose key Stripe has forgotten, and sends no other one', async () => {
    const order = orderOf();
    bank.losesAnswersOf = 'POST';
    await expect(stripe.sendTransfer(order)).rejects.toThrow();
    bank.losesAnswersOf = null;
    bank.forgetKeys();
    expect(await stripe.lookUpTransfer(order.key)).toMatchObject({ status: 'arrived' });
    expect(await stripe.sendTransfer(order)).toEqual({ status: 'accepted' });
    expect(bank.state.transfersOf(order.key)).toHaveLength(1);
  });

  test.each<[string, object]>([
    ['a card', { destination: { method: 'CARD', accountHolder: 'Ada', cardNumber: '4242424242424242' } }],
    ['a bank account', { destination: { method: 'BANK_TRANSFER', accountHolder: 'Ada', iban: 'DE1' } }],
    ['another wallet', { destination: { ...ADA, walletId: 'ada@wallet.example' } }],
    ['an address', { destination: { ...ADA, walletId: 'acct_1/../acct_2' } }],
    ['a currency that Stripe counts otherwise', { currency: 'ISK' }],
  ])('%s is refused, and nothing is sent', async (_, change) => {
    expect(await stripe.sendTransfer(orderOf(change))).toMatchObject({ status: 'refused' });
    expect(bank.requests).toEqual(['GET /v1/transfers']);
  });

  test.each<[string, object, string]>([
    ['more than we have at Stripe', { amountMinor: 1_000_001 }, 'balance_insufficient'],
    ['an account that is not ours', { destination: { ...ADA, walletId: 'acct_123' } }, 'resource_missing'],
  ])('%s is refused by Stripe’s code', async (_, change, code) => {
    expect(await stripe.sendTransfer(orderOf(change))).toEqual({
      ...{ status: 'refused', reason: `Stripe refused it: ${code}.` },
    });
  });

  const unknown: StripeMood[] = [
    ...([
      'loses the answer',
      'fails',
      'is busy',
      'knows no key',
      'is at it already',
      'talks nonsense',
    ] as const),
  ];
  test.each(unknown)('a Stripe that %s is thrown, never taken for a no', async (mood) => {
    bank.mood = mood;
    await expect(stripe.sendTransfer(orderOf())).rejects.toThrow();
    await expect(stripe.lookUpTransfer(v7())).rejects.toThrow();
  });

  test.each(unknown)('a Stripe that first %s sends one transfer', async (mood) => {
    const order = orderOf();
    bank.mood = mood;
    await expect(stripe.sendTransfer(order)).rejects.toThrow();
    bank.mood = 'answers';
    for (let times = 0; times < 2; times++)
      expect(await stripe.sendTransfer(order)).toEqual({ status: 'accepted' });
    expect(bank.state.transfersOf(order.key)).toHaveLength(1);
    expect(await stripe.lookUpTransfer(order.key)).toMatchObject({ status: 'arrived', amountMinor: 5_000 });
  });

  test('a key that was used for another transfer is thrown, though Stripe does not list that one', async () => {
    const order = orderOf();
    await stripe.sendTransfer(order);
    bank.state.transfersOf(order.key)[0]!.transfer_group = 'elsewhere';
    await expect(stripe.sendTransfer({ ...order, amountMinor: 1 })).rejects.toThrow('StripeIdempotencyError');
  });

  test('what it says of an account is not repeated, since errors are kept and shown', async () => {
    bank.refusesPosts = { status: 403, message: "The key does not have access to account 'acct_ada'." };
    const thrown: unknown = await stripe.sendTransfer(orderOf()).catch((error: unknown) => error);
    bank.refusesPosts = null;
    expect(String(thrown)).toContain('StripePermissionError, 403');
    expect(inspect(thrown)).not.toContain('acct_ada');
  });

  test('one that was taken back is refused; one that was taken back in part needs a person', async () => {
    const order = orderOf();
    await stripe.sendTransfer(order);
    const transfer = bank.state.transfersOf(order.key)[0]!;
    transfer.amount_reversed = 5_000;
    expect(await stripe.lookUpTransfer(order.key)).toMatchObject({ status: 'refused' });
    expect(await stripe.sendTransfer(order)).toMatchObject({ status: 'refused' });
    transfer.amount_reversed = 1;
    expect(await stripe.lookUpTransfer(order.key)).toMatchObject({ amountMinor: 4_999 });
  });

  test('two transfers of one key are told by their sum', async () => {
    const order = orderOf();
    await stripe.sendTransfer(order);
    bank.state.transfers.push({ ...bank.state.transfersOf(order.key)[0]!, id: 'tr_2' });
    expect(await stripe.lookUpTransfer(order.key)).toMatchObject({ amountMinor: 10_000 });
  });

  test('one that somebody has made in another currency pays nothing', async () => {
    const id = v7();
    const order = { ...orderOf(), key: `${id}:1` };
    await stripe.sendTransfer(order);
    const transfer = bank.state.transfersOf(order.key)[0]!;
    transfer.currency = 'jpy';
    const outgoing = {
      ...{ ...order, id, name: 'payout', provider: 'stripe', sendings: 1 },
      ...{ askedAt: new Date(), askedProvider: 'stripe', unproven: [] },
    };
    const providers = new Map([['stripe', stripe]]);
    const begin = () => Promise.resolve(null);
    await expect(sendOut({ providers }, outgoing, begin, new Date())).rejects.toThrow(
      `JPY arrived of transfer ${id}, which is of USD.`,
    );
    const arrived = { provider: 'stripe', transferId: 'tr_1', amountMinor: 5_000, currency: 'JPY' };
    expect(() => requireNamed(arrived, outgoing, 'tr_1')).toThrow(
      'stripe has sent this payout in JPY, as tr_1. Take it back there first.',
    );
    bank.state.transfers.push({ ...transfer, id: 'tr_3', currency: 'usd' });
    await expect(stripe.lookUpTransfer(order.key)).rejects.toThrow('several currencies');
  });

  test('a transfer of somebody else in the same group is none of ours', async () => {
    const order = orderOf();
    await stripe.sendTransfer(order);
    bank.state.transfersOf(order.key)[0]!.metadata = {};
    expect(await stripe.lookUpTransfer(order.key)).toBeNull();
  });

  test('a Stripe that does not answer is given up in time', async () => {
    const { calls, afterMs } = await unanswered;
    expect(calls.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(afterMs).toBeLessThan(PROVIDER_CALL_MS);
  });
});

describe('Stripe’s own description', () => {
  let mock: StripeMock;
  let stripe: PayoutProvider;
  beforeAll(async () => {
    mock = await startStripeMock();
    stripe = stripePayouts({ secretKey: 'sk_test_1', apiBase: mock.url });
  });
  afterAll(() => mock.stop());

  test('it refuses what Stripe would not understand, so these tests can fail', async () => {
    const client = await connectStripe({ secretKey: 'sk_test_1', apiBase: mock.url });
    const nonsense: object = { amount: 1, currency: 'usd', destination: 'acct_1', colour: 'blue' };
    await expect(client.transfers.create(nonsense as never)).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
    });
  });

  test('transfers are made and looked up as Stripe wants it', async () => {
    const order = orderOf();
    expect(await stripe.sendTransfer(order)).toEqual({ status: 'accepted' });
    expect(await stripe.lookUpTransfer(order.key)).toBeNull(); // Its examples carry no key of ours.
  });
});

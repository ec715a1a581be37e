import { v7 } from 'uuid';
import { bankFilePayouts } from '../../../../activities/providers/payouts/bank-file/driver';
import {
  CALL_BEGINS_WITHIN_MS,
  type PayoutProvider,
  type TransferOrder,
} from '../../../../activities/providers/payouts/port';
import { sandboxPayouts } from '../../../../activities/providers/payments/sandbox/payouts';
import { stripePayouts } from '../../../../activities/providers/payments/stripe/payouts';
import { firstRow } from '../../../../db/sql/query';
import { PROVIDER_CALL_MS } from '../../../../workflows/kit/limits/provider-times';
import { sepaOrder } from '../../../support/builders/payouts/bank-files';
import { CARD, REFUSING_CARD, SILENT_CARD } from '../../../support/builders/investing/withdrawing';
import { FakeStripe } from '../../../support/fakes/fake-stripe';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();
let stripe: FakeStripe;
beforeAll(async () => (stripe = await FakeStripe.start()));
afterAll(() => stripe.stop());
beforeEach(() => (stripe.mood = 'answers'));

/** A provider with what its tests need to know of it. */
interface Side {
  provider: () => PayoutProvider;
  /** A transfer that it accepts, and one that it refuses. */
  accepted: () => TransferOrder;
  refused: () => TransferOrder;
  /** Sends a transfer whose answer does not reach us. */
  sendUnanswered: (provider: PayoutProvider) => Promise<TransferOrder>;
  /** The transfers under a key by the provider's own record, refused ones left out. */
  sent: (key: string) => Promise<number>;
}

const toCard = (cardNumber: string): TransferOrder => ({
  ...{ key: v7(), amountMinor: 5_000, currency: 'USD' },
  destination: { method: 'CARD', accountHolder: 'Ada Lovelace', cardNumber },
});
const toWallet = (walletId: string): TransferOrder => ({
  ...{ key: `${v7()}:2`, amountMinor: 5_000, currency: 'USD' },
  destination: { method: 'EWALLET', accountHolder: 'Ada Lovelace', walletId },
});
const rowsOf = async (table: string, key: string): Promise<number> =>
  (await firstRow<{ n: number }>(
    own.db,
    `SELECT count(*)::int AS n FROM ${table} WHERE key = $1 AND status <> 'REFUSED'`,
    [key],
  ))!.n;

const sides: Readonly<Record<string, Side>> = {
  sandbox: {
    provider: () => sandboxPayouts(own.db),
    accepted: () => toCard(CARD),
    refused: () => toCard(REFUSING_CARD),
    async sendUnanswered(provider) {
      const order = toCard(SILENT_CARD);
      await expect(provider.sendTransfer(order)).rejects.toThrow('did not answer');
      return order;
    },
    sent: (key) => rowsOf('sandbox_transfers', key),
  },
  'bank file': {
    provider: () => bankFilePayouts(own.db),
    accepted: () => sepaOrder(),
    refused: () => sepaOrder({ destination: toCard(CARD).destination }),
    // It is here, so what is lost is the worker: it ends after the commit.
    async sendUnanswered(provider) {
      const order = sepaOrder();
      await provider.sendTransfer(order);
      return order;
    },
    sent: (key) => rowsOf('bank_file_transfers', key),
  },
  Stripe: {
    provider: () => stripePayouts({ secretKey: 'sk_test_1', apiBase: stripe.url }),
    accepted: () => toWallet('acct_ada'),
    refused: () => toWallet('acct_1'),
    // The list is answered, the transfer is not.
    async sendUnanswered(provider) {
      const order = toWallet('acct_ada');
      stripe.losesAnswersOf = 'POST';
      await expect(provider.sendTransfer(order)).rejects.toThrow();
      stripe.losesAnswersOf = null;
      return order;
    },
    sent: async (key) => stripe.state.transfersOf(key).length,
  },
};

describe.each(Object.entries(sides))('%s', (_, side) => {
  const { accepted, refused, sendUnanswered, sent } = side;
  const provider = (): PayoutProvider => side.provider();

  test('accepts a transfer, and knows it by its key', async () => {
    const order = accepted();
    expect(await provider().sendTransfer(order)).toEqual({ status: 'accepted' });
    const fate = await provider().lookUpTransfer(order.key);
    expect(['arrived', 'under way']).toContain(fate?.status);
    if (fate?.status === 'arrived') expect(fate.amountMinor).toBe(order.amountMinor);
    expect(await sent(order.key)).toBe(1);
  });

  test('refuses for certain: nothing was sent, and nothing is when it is asked again', async () => {
    const order = refused();
    for (let times = 0; times < 2; times++)
      expect(await provider().sendTransfer(order)).toMatchObject({
        status: 'refused',
        reason: expect.not.stringMatching(/Ada|acct_|\d{4}/),
      });
    expect(['refused', undefined]).toContain((await provider().lookUpTransfer(order.key))?.status);
    expect(await sent(order.key)).toBe(0);
  });

  test('finds a transfer whose answer was lost, and sends no other one when it is sent again', async () => {
    const order = await sendUnanswered(provider());
    expect(await provider().lookUpTransfer(order.key)).not.toBeNull();
    expect(await provider().sendTransfer(order)).toEqual({ status: 'accepted' });
    expect(await sent(order.key)).toBe(1);
  });

  test('sends one transfer for a key, asked eight times at once', async () => {
    const order = accepted();
    const answers = await Promise.all(Array.from({ length: 8 }, () => provider().sendTransfer(order)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['accepted']));
    expect(await sent(order.key)).toBe(1);
  });

  test('is certain that nothing came only once no call of ours can be on its way', () => {
    expect(side.provider().certainAfterMs).toBeGreaterThanOrEqual(CALL_BEGINS_WITHIN_MS + PROVIDER_CALL_MS);
  });

  test('does not know a key under which nothing was sent', async () => {
    expect(await provider().lookUpTransfer(v7())).toBeNull();
  });

  test.each([{ amountMinor: 1 }, { currency: 'GBP' }])(
    'takes no other transfer under a known key: %p',
    async (change) => {
      const order = accepted();
      await provider().sendTransfer(order);
      await expect(provider().sendTransfer({ ...order, ...change })).rejects.toThrow('another transfer');
      expect(await sent(order.key)).toBe(1);
    },
  );
});

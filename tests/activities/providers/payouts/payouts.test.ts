import { v7 } from 'uuid';
import { z } from 'zod';
import { payoutProviders } from '../../../../activities/providers/payouts';
import { bankFileDebtor, BankFileConfig } from '../../../../db/commerce/bank-file/config';
import { requireRealPayments } from '../../../../db/policy/production';
import { rows } from '../../../../db/sql/query';
import { businessDateAfter, transferKey } from '../../../../workflows/commerce/payout/transfer-out.rules';
import { maskedDestination } from '../../../../workflows/commerce/payout/destination.rules';
import { CARD, REFUSING_CARD, SILENT_CARD } from '../../../support/builders/investing/withdrawing';
import { ownDatabase } from '../../../support/servers/database';
import { providersConfigOf } from '../../../support/worlds/providers';

const own = ownDatabase();
const sandbox = () => payoutProviders(providersConfigOf(), own.db).providers.get('sandbox')!;

const order = (cardNumber: string, key: string = v7()) => ({
  key,
  amountMinor: 5_000,
  currency: 'USD',
  destination: { method: 'CARD' as const, accountHolder: 'Ada Lovelace', cardNumber },
});

describe('the sandbox', () => {
  test('sends money once for each key, and keeps no account', async () => {
    const one = order(CARD);
    const answers = await Promise.all(Array.from({ length: 8 }, () => sandbox().sendTransfer(one)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['accepted']));
    expect(await sandbox().lookUpTransfer(one.key)).toEqual({
      ...{ status: 'arrived', amountMinor: 5_000, transferId: expect.any(String) },
    });
    const kept = await rows<{ row: string }>(
      own.db,
      'SELECT row_to_json(t)::text AS row FROM sandbox_transfers t',
    );
    expect(kept).toHaveLength(1);
    expect(kept[0]!.row).not.toContain(CARD);
  });

  test('refuses accounts that end in 0000, for good', async () => {
    const one = order(REFUSING_CARD);
    const refused = { status: 'refused', reason: 'The account takes no transfers.' };
    expect(await sandbox().sendTransfer(one)).toEqual(refused);
    expect(await sandbox().lookUpTransfer(one.key)).toEqual(refused);
    expect(await sandbox().sendTransfer(one)).toEqual(refused);
  });

  test('loses the answer to the first transfer to accounts that end in 9999, and knows it when asked', async () => {
    const one = order(SILENT_CARD);
    await expect(sandbox().sendTransfer(one)).rejects.toThrow('did not answer');
    expect(await sandbox().lookUpTransfer(one.key)).toMatchObject({ status: 'arrived' });
  });

  test('takes no other transfer under a key, and knows no other key', async () => {
    const one = order(CARD);
    await sandbox().sendTransfer(one);
    await expect(sandbox().sendTransfer({ ...one, amountMinor: 1 })).rejects.toThrow('another transfer');
    expect(await sandbox().lookUpTransfer(v7())).toBeNull();
  });
});

describe('the choice of the provider', () => {
  const current = (PAYMENT_PROVIDER: string, PAYOUT_PROVIDER?: string) =>
    payoutProviders(
      providersConfigOf({ PAYMENT_PROVIDER, ...(PAYOUT_PROVIDER !== undefined && { PAYOUT_PROVIDER }) }),
      own.db,
    ).current;

  test('the sandbox where it takes payments, else a person, unless it is said', () => {
    expect(current('sandbox')).toBe('sandbox');
    expect(current('sandbox', 'bank')).toBe('bank');
    expect(current('stripe')).toBe('bank');
    expect(current('stripe', 'bank-file')).toBe('bank-file');
    expect(() => current('stripe', 'paypal')).toThrow(
      'PAYOUT_PROVIDER names paypal, which sends no money out',
    );
  });

  test('only what is not set up is retired', () => {
    const retired = (PROVIDERS_RETIRED: string) =>
      payoutProviders(providersConfigOf({ PROVIDERS_RETIRED }), own.db).retired;
    expect(retired('')).toEqual(new Set());
    expect(retired('paypal, stripe,')).toEqual(new Set(['paypal', 'stripe']));
    expect(() => retired('sandbox')).toThrow('PROVIDERS_RETIRED names sandbox, which is set up here');
    expect(() => retired('bank')).toThrow('PROVIDERS_RETIRED names bank');
  });

  test('Stripe needs its key', () => {
    expect(() => current('sandbox', 'stripe')).toThrow('STRIPE_SECRET_KEY');
    const variables = { PAYOUT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1' };
    const payouts = payoutProviders(providersConfigOf(variables), own.db);
    expect([payouts.current, ...payouts.providers.keys()]).toEqual([
      ...['stripe', 'sandbox', 'bank-file', 'stripe'],
    ]);
  });

  test('bank files need the account that pays', () => {
    const config = (variables: object) =>
      BankFileConfig.extend({ PAYOUT_PROVIDER: z.string().optional() }).parse(variables);
    const account = {
      BANK_FILE_DEBTOR_NAME: 'Demo Shop',
      BANK_FILE_DEBTOR_IBAN: 'DE02 1203 0000 0000 2020 51',
      BANK_FILE_DEBTOR_BIC: 'BYLADEM1001',
    };
    const debtor = { name: 'Demo Shop', iban: 'DE02120300000000202051', bic: 'BYLADEM1001' };
    expect(bankFileDebtor(config({ ...account, PAYOUT_PROVIDER: 'bank-file' }))).toEqual(debtor);
    expect(bankFileDebtor(config({}))).toBeNull();
    for (const name of Object.keys(account)) {
      const rest = { ...account, [name]: undefined, PAYOUT_PROVIDER: 'bank-file' };
      expect(() => bankFileDebtor(config(rest))).toThrow(
        'PAYOUT_PROVIDER is bank-file, so BANK_FILE_DEBTOR_',
      );
    }
    for (const wrong of [
      { BANK_FILE_DEBTOR_IBAN: 'DE03120300000000202051' },
      { BANK_FILE_DEBTOR_BIC: 'BYLADEM' },
      { BANK_FILE_DEBTOR_NAME: 'Магазин' },
    ])
      expect(BankFileConfig.safeParse({ ...account, ...wrong }).success).toBe(false);
  });

  test('production refuses the sandbox', () => {
    const mode = { NODE_ENV: 'production', PAYMENT_PROVIDER: 'stripe', PAYOUT_PROVIDER: 'sandbox' } as const;
    expect(() => requireRealPayments(mode)).toThrow('PAYOUT_PROVIDER is sandbox');
    expect(() => requireRealPayments({ ...mode, ALLOW_SANDBOX_PAYMENTS: true })).not.toThrow();
    expect(() => requireRealPayments({ ...mode, PAYOUT_PROVIDER: 'bank' })).not.toThrow();
  });
});

test('a transfer has the id of what is paid out as its key; the ones after a refusal are numbered', () => {
  expect([1, 2].map((attempt) => transferKey('w', attempt))).toEqual(['w:1', 'w:2']);
});

test.each([
  ['2026-11-23T10:00:00Z', 0, '2026-11-23'],
  ['2026-11-23T10:00:00Z', 3, '2026-11-26'],
  ['2026-11-26T23:59:00Z', 3, '2026-12-01'],
  ['2026-11-28T00:00:00Z', 1, '2026-11-30'],
])('from %s, %d business days later is %s', (from, days, date) => {
  expect(businessDateAfter(new Date(from), days)).toBe(date);
});

test('a destination shows its last four characters, and at most half of a short number', () => {
  const masked = (iban: string) =>
    maskedDestination({ method: 'BANK_TRANSFER', accountHolder: 'Ada Lovelace', iban });
  expect(['DE89370400440532013000', '123456', '1'].map(masked)).toEqual(['•••• 3000', '•••• 456', '•••• ']);
});

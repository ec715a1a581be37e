import { v7 } from 'uuid';
import { openDestination } from '../../../../db/commerce/payout/destination';
import { sealPurposes } from '../../../../db/sealing/purposes';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { refusalIn } from '../../../../workflows/errors';
import { CARD } from '../../../support/builders/investing/withdrawing';
import { make } from '../../../support/builders/make';
import {
  at,
  decision,
  fundsOf,
  payee,
  payoutSteps,
  requested,
  saveDetails,
  type Payee,
} from '../../../support/builders/paying-out/payees';
import { violations } from '../../../support/checks/violations';
import { FakePayouts } from '../../../support/fakes/fake-payouts';
import { ownDatabase } from '../../../support/servers/database';
import { testKeys } from '../../../support/worlds/variables';

const own = ownDatabase();
const steps = () => payoutSteps(own.db, new FakePayouts());

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => {
      const refused = refusalIn(error);
      if (!refused) throw error;
      return refused.reason === undefined ? refused.code : `${refused.code} ${refused.reason}`;
    },
  );
const asks = (who: Pick<Payee, 'kind' | 'userId'>, amountMinor = 40_00) =>
  codeOf(requested(steps(), who, amountMinor));

test.each(['PARTNER', 'WALLET'] as const)(
  '%s: the amount is held, its destination kept, the owner mailed',
  async (kind) => {
    const one = await payee(own.db, { kind });
    const payoutId = await requested(steps(), one);
    const source = kind === 'PARTNER' ? { availableMinor: 60_00 } : { walletMinor: 60_00 };
    expect(await fundsOf(own.db, one.userId)).toMatchObject({
      ...source,
      heldMinor: 40_00,
      payouts: ['PENDING 4000'],
    });
    await saveDetails(own.db, one.userId, '4000000000069999');
    const kept = await firstRow<{ details: Buffer; masked: string; events: string[] }>(
      own.db,
      `SELECT details, masked_details AS masked, ARRAY(SELECT kind || ' ' || part FROM ledger_transfers
       WHERE subject_id = $1::text) AS events FROM payouts WHERE id = $1::uuid`,
      [payoutId],
    );
    expect(kept!.masked).toBe('•••• 4242');
    expect(kept!.events).toEqual([`${kind === 'PARTNER' ? 'payout' : 'wallet-withdrawal'} hold`]);
    expect(openDestination(testKeys, sealPurposes.payoutDestination(payoutId), kept!.details)).toMatchObject({
      cardNumber: CARD,
    });
    const mails = await rows(own.db, `SELECT 1 FROM outbox_messages WHERE reference = $1`, [
      `payout:${payoutId}:requested`,
    ]);
    expect(mails).toHaveLength(1);
  },
);

test('the same request again answers the same and holds nothing more', async () => {
  const one = await payee(own.db);
  const payoutId = v7();
  await Promise.all([1, 2, 3].map(() => requested(steps(), one, 40_00, payoutId)));
  expect(await fundsOf(own.db, one.userId)).toMatchObject({ heldMinor: 40_00, payouts: ['PENDING 4000'] });
});

test('twenty requests at once: one is made, the others are PAYOUT_PENDING', async () => {
  for (const kind of ['PARTNER', 'WALLET'] as const) {
    const one = await payee(own.db, { kind });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => asks(one, 10_00)));
    expect(outcomes.sort()).toEqual([...Array<string>(19).fill('PAYOUT_PENDING'), 'done']);
    expect(await fundsOf(own.db, one.userId)).toMatchObject({ heldMinor: 10_00 });
  }
});

test('a partner with a wallet has one of each kind', async () => {
  const one = await payee(own.db);
  await make.money(own.db, one.userId, 50_00);
  expect(await asks(one)).toBe('done');
  expect(await asks({ ...one, kind: 'WALLET' })).toBe('done');
  expect(await fundsOf(own.db, one.userId)).toMatchObject({ heldMinor: 80_00, walletMinor: 10_00 });
});

test('another may follow when the first is over', async () => {
  const one = await payee(own.db);
  const first = await requested(steps(), one);
  expect(await asks(one)).toBe('PAYOUT_PENDING');
  await steps().cancelPayout({ ...(await decision(own.db, first, { by: one.userId })), byOwner: true });
  expect(await asks(one)).toBe('done');
});

describe('what keeps a user from it, in this order', () => {
  test('NOT_A_PARTNER', async () => {
    const wallet = await payee(own.db, { kind: 'WALLET' });
    expect(await asks({ ...wallet, kind: 'PARTNER' })).toBe('NOT_A_PARTNER');
  });

  test('FORBIDDEN: an account that is not active or to be deleted, and a suspended partner', async () => {
    const [first, second, third] = [await payee(own.db), await payee(own.db), await payee(own.db)];
    await execute(own.db, `UPDATE users SET status = 'BANNED' WHERE id = $1`, [first.userId]);
    expect(await asks(first)).toBe('FORBIDDEN USER_STATUS_NOT_ALLOWED');
    await execute(own.db, `UPDATE users SET deletion_due_at = now() + interval '1 day' WHERE id = $1`, [
      second.userId,
    ]);
    expect(await asks(second)).toBe('FORBIDDEN ACCOUNT_BEING_DELETED');
    await execute(own.db, `UPDATE partners SET status = 'SUSPENDED' WHERE id = $1`, [third.partnerId]);
    expect(await asks(third)).toBe('FORBIDDEN PARTNER_SUSPENDED');
    await make.money(own.db, third.userId, 50_00);
    expect(await asks({ ...third, kind: 'WALLET' })).toBe('done');
  });

  test('not a membership that has ended: what was earned is still paid', async () => {
    const one = await payee(own.db);
    await execute(own.db, `UPDATE partners SET status = 'TERMINATED' WHERE id = $1`, [one.partnerId]);
    expect(await asks(one)).toBe('done');
  });

  test('BELOW_MINIMUM, PAYOUT_DETAILS_MISSING, KYC_REQUIRED, INSUFFICIENT_BALANCE', async () => {
    const one = await payee(own.db, { user: { kycLevel: 'BASIC' } });
    await execute(
      own.db,
      'UPDATE users SET payout_method = NULL, payout_masked = NULL, payout_sealed = NULL, payout_changed_at = NULL WHERE id = $1',
      [one.userId],
    );
    expect(await asks(one, 9_99)).toBe('BELOW_MINIMUM');
    expect(await asks(one, 100_01)).toBe('PAYOUT_DETAILS_MISSING');
    await saveDetails(own.db, one.userId, CARD);
    expect(await asks(one, 100_01)).toBe('KYC_REQUIRED');
    await execute(own.db, `UPDATE users SET kyc_level = 'STANDARD', kyc_status = 'APPROVED' WHERE id = $1`, [
      one.userId,
    ]);
    await make.verified(own.db, one.userId);
    expect(await asks(one, 100_01)).toBe('INSUFFICIENT_BALANCE');
    expect(await asks(one, 100_00)).toBe('done');
  });

  test('details that no key opens any more are missing', async () => {
    const one = await payee(own.db);
    await execute(own.db, `UPDATE users SET payout_sealed = '\\x00' WHERE id = $1`, [one.userId]);
    expect(await asks(one)).toBe('PAYOUT_DETAILS_MISSING');
  });

  test('a balance below zero', async () => {
    const one = await payee(own.db, { availableMinor: 0 });
    const { id } = await make.commission(own.db, {
      partnerId: one.partnerId,
      grossMinor: 20_00,
      status: 'PAID',
    });
    await make.commission(own.db, {
      ...{ partnerId: one.partnerId, reversalOf: id, grossMinor: -20_00, status: 'APPROVED' },
    });
    expect((await fundsOf(own.db, one.userId)).availableMinor).toBe(-20_00);
    expect(await asks(one, 10_00)).toBe('INSUFFICIENT_BALANCE');
  });

  test('the least amount is the policy', async () => {
    const one = await payee(own.db);
    const strict = payoutSteps(own.db, null, { variables: { POLICY_PAYOUT_MINIMUM: '50' } });
    const request = {
      payoutId: v7(),
      userId: one.userId,
      kind: 'PARTNER' as const,
      currency: 'USD',
      at: at(),
    };
    expect(await codeOf(strict.requestPayout({ ...request, amountMinor: 49_99 }))).toBe('BELOW_MINIMUM');
    expect(await codeOf(strict.requestPayout({ ...request, amountMinor: 50_00 }))).toBe('done');
  });
});

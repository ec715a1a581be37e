import { sendPayout } from '../../../../activities/commerce/payout/send-payout';
import { policyFrom } from '../../../../db/policy/config';
import { sendWithdrawal } from '../../../../activities/investment/withdrawal/send-withdrawal';
import { payoutProviders } from '../../../../activities/providers/payouts';
import { firstRow } from '../../../../db/sql/query';
import { IBAN, investor, moneyOf, type Investor } from '../../../support/builders/investing/withdrawing';
import { fundsOf } from '../../../support/builders/paying-out/payees';
import { statusReport } from '../../../support/builders/payouts/bank-files';
import { eventually } from '../../../support/checks/eventually';
import { violations } from '../../../support/checks/violations';
import { providersConfigOf } from '../../../support/worlds/providers';
import { transferKey } from '../../../../workflows/commerce/payout/transfer-out.rules';
import { PLATFORM_CURRENCY } from '../../../../workflows/commerce/money.rules';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../admin-world';
import { deskOf } from '../payouts/desk-world';

let staff: AdminWorld;
beforeAll(async () => {
  staff = await startAdminWorld({ variables: { PAYOUT_PROVIDER: 'bank-file' } });
});
afterAll(async () => {
  expect(await violations(staff.world.db)).toEqual([]);
  await staff.world.teardown();
});

/** Withdraws to a bank account; answers the withdrawal's id. */
async function withdrawn(one: Investor): Promise<string> {
  const details = { accountNumber: IBAN, bankName: 'Demo Bank' };
  const answer = await one.withdraw({ withdrawalMethod: 'BANK_TRANSFER', details });
  expect(outcomeOf(answer)).toBe('200');
  return String(answer.body.data.withdrawalId);
}

const statusOf = async ({ user }: Investor): Promise<string> =>
  (await moneyOf(staff.world.db, user.id)).withdrawals.join();

const payouts = () => payoutProviders(providersConfigOf({ PAYOUT_PROVIDER: 'bank-file' }), staff.world.db);
const now = () => new Date().toISOString();

/** As the processes do every hour. */
const lookUp = {
  withdrawal: (withdrawalId: string) =>
    sendWithdrawal(
      { db: staff.world.db, payouts: payouts(), policy: policyFrom({}) },
      { withdrawalId, at: now() },
    ),
  payout: (payoutId: string) =>
    sendPayout({ db: staff.world.db, payouts: payouts() }, { payoutId, at: now() }),
};

/** The name in files of the transfer of an attempt, once it is collected. */
const transferOf = async (id: string, attempt = 1): Promise<string> =>
  (await eventually(async () => {
    const found = await firstRow<{ name: string }>(
      staff.world.db,
      `SELECT replace(id::text, '-', '') AS name FROM bank_file_transfers WHERE key = $1`,
      [transferKey(id, attempt)],
    );
    expect(found).not.toBeNull();
    return found;
  }))!.name;

interface Filed {
  transfer: string;
  currency: string;
  amount: string;
}

/** Makes a file of one transfer, holds it against what it should say, and enters the bank's word on it. */
async function filesAndHears({ transfer, currency, amount }: Filed, status: string, reason?: string) {
  const made = await staff.ask('post', '/admin/bank-files');
  expect(made.body.data).toMatchObject({ transfers: 1, amount: Number(amount), currency });
  const fileId = String(made.body.data.id);
  const { text } = await staff.ask('get', `/admin/bank-files/${fileId}/file`);
  expect(text).toContain(`<EndToEndId>${transfer}</EndToEndId>`);
  expect(text).toContain(`<InstdAmt Ccy="${currency}">${amount}</InstdAmt>`);
  expect(text).toContain(`<IBAN>${IBAN}</IBAN>`);
  const said = { transfer, status, amount, currency, ...(reason !== undefined && { reason }) };
  const entered = await staff.world.http
    .post(`/api/v1/admin/bank-files/${fileId}/status-report`)
    .auth(staff.tokens.admin, { type: 'bearer' })
    .attach('file', statusReport(fileId, [said]), 'report.xml');
  expect(entered.body.data).toMatchObject({ changed: 1, currency });
}

test('what no bank file can hold goes to the wallet instead', async () => {
  const one = await investor(staff.world);
  const details = { accountNumber: '40817810099910004312', bankBik: '044525225', bankName: 'Demo Bank' };
  const answer = await one.withdraw({ withdrawalMethod: 'BANK_TRANSFER', details });
  expect(outcomeOf(answer)).toBe('200');
  await eventually(async () => expect(await statusOf(one)).toBe('CREDITED 100000'));
});

test.each([
  ['USD', 'ACSC', undefined, 'COMPLETED 100000'],
  ['USD', 'RJCT', 'AC04', 'CREDITED 100000'],
  ['EUR', 'ACSC', undefined, 'COMPLETED 100000'],
])(
  'a withdrawal of an investment in %s is collected, filed, and ended by the bank’s %s',
  async (currency, status, reason, ended) => {
    // By default in the currency of the platform.
    const one = await investor(staff.world, currency === PLATFORM_CURRENCY ? {} : { strategy: { currency } });
    const id = await withdrawn(one);
    const transfer = await transferOf(id);
    expect(await lookUp.withdrawal(id)).toBe('UNDER_WAY');
    await filesAndHears({ transfer, currency, amount: '1000.00' }, status, reason);
    // Its process is told, and does not wait for its next look.
    await eventually(async () => expect(await statusOf(one)).toBe(ended));
    expect(await lookUp.withdrawal(id)).toBe('ENDED');
  },
);

describe.each(['PARTNER', 'WALLET'] as const)('%s', (kind) => {
  const desk = deskOf(() => staff, kind);
  const fundsAfter = async (userId: string) => {
    const { heldMinor, payouts: all } = await fundsOf(staff.world.db, userId);
    return { heldMinor, all };
  };

  /** A payout of 40.00 to a bank account that was requested, approved and given to the bank's next file. */
  async function processed(): Promise<{ userId: string; id: string; transfer: string }> {
    const { one, id } = await desk.requested({ iban: IBAN });
    expect(outcomeOf(await desk.approve(id))).toBe('200');
    const { body } = await desk.process(id);
    expect(body.data).toMatchObject({ id, status: 'PROCESSING' });
    return { userId: one.userId, id, transfer: await transferOf(id) };
  }

  test('a payout goes all the way by a bank file', async () => {
    const { userId, id, transfer } = await processed();
    await filesAndHears({ transfer, currency: 'USD', amount: '40.00' }, 'ACCC');
    expect(await lookUp.payout(id)).toBe('ENDED');
    const { body } = await desk.get(`/${id}`);
    expect(body.data).toMatchObject({
      ...{ status: 'COMPLETED', amount: 40, currency: 'USD' },
      ...{ provider: 'bank-file', externalReference: transfer },
    });
    expect(await fundsAfter(userId)).toEqual({ heldMinor: 0, all: ['COMPLETED 4000'] });
  });

  test('one that the bank refuses is sent again under another key, in another file', async () => {
    const { userId, id, transfer } = await processed();
    await filesAndHears({ transfer, currency: 'USD', amount: '40.00' }, 'RJCT', 'AC04');
    expect(await lookUp.payout(id)).toBe('ENDED');
    expect(await fundsAfter(userId)).toEqual({ heldMinor: 4000, all: ['APPROVED 4000'] });
    await eventually(async () =>
      expect((await desk.process(id)).body.data).toMatchObject({ status: 'PROCESSING' }),
    );
    const second = await transferOf(id, 2);
    await filesAndHears({ transfer: second, currency: 'USD', amount: '40.00' }, 'ACSC');
    expect(await lookUp.payout(id)).toBe('ENDED');
    expect(await fundsAfter(userId)).toEqual({ heldMinor: 0, all: ['COMPLETED 4000'] });
  });
});

import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { transferFigures } from '../../../../db/commerce/payout/transfer-figures.reads';
import { execute, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { signIn } from '../../../support/builders/sign-in';
import { IBAN, investor, moneyOf, type Investor } from '../../../support/builders/investing/withdrawing';
import { restored } from '../../../support/builders/paying-out/restoring';
import { eventually } from '../../../support/checks/eventually';
import { violations } from '../../../support/checks/violations';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../admin-world';

let staff: AdminWorld;
beforeAll(async () => {
  staff = await startAdminWorld({ variables: { PAYOUT_PROVIDER: 'bank' } });
});
afterAll(async () => {
  expect(await violations(staff.world.db)).toEqual([]);
  await staff.world.teardown();
});

interface Owed {
  one: Investor;
  id: string;
}

/** A withdrawal that a person has to send. */
async function owed(): Promise<Owed> {
  const one = await investor(staff.world);
  const details = { accountNumber: IBAN, bankName: 'Demo Bank' };
  const answer = await one.withdraw({ withdrawalMethod: 'BANK_TRANSFER', details });
  expect(outcomeOf(answer)).toBe('200');
  return { one, id: answer.body.data.withdrawalId };
}

const show = (id: string, token?: string): Promise<Response> =>
  staff.ask('get', `/admin/withdrawals/${id}`, undefined, token);
const settle = (id: string, body: object = {}, token?: string): Promise<Response> =>
  staff.ask('post', `/admin/withdrawals/${id}/settle`, { reference: randomUUID(), ...body }, token);
const asAdministrator = async ({ user }: Investor): Promise<string> => {
  await execute(staff.world.db, `UPDATE users SET roles = '{USER,ADMIN}' WHERE id = $1`, [user.id]);
  return signIn(staff.world, user);
};

describe('GET /admin/withdrawals', () => {
  const list = (query = '', token?: string) =>
    staff.ask('get', `/admin/withdrawals${query}`, undefined, token);
  const idsOf = async (query: string): Promise<string[]> =>
    ((await list(query)).body.data.withdrawals as { id: string }[]).map(({ id }) => id);

  test('newest first, by status and page by page', async () => {
    const [first, { one, id }] = [await owed(), await owed()];
    await settle(first.id, { reference: 'OUT-1' });
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body.data.withdrawals[0]).toEqual({
      id,
      participation: { id: one.participation.id, number: one.participation.number },
      user: { id: one.user.id, email: one.user.email, name: 'Ada Lovelace' },
      status: 'PROCESSING',
      method: 'BANK_TRANSFER',
      amount: 1_000,
      currency: 'USD',
      maskedDetails: '•••• 3000',
      provider: 'bank',
      needsTransfer: true,
      bankFileTransfer: null,
      transferReference: null,
      refusedBecause: null,
      settledBy: null,
      createdAt: expect.any(String),
      completedAt: null,
    });
    expect(body.data.withdrawals[1]).toMatchObject({
      id: first.id,
      status: 'COMPLETED',
      needsTransfer: false,
      transferReference: 'OUT-1',
      settledBy: staff.admin.id,
      completedAt: expect.any(String),
    });
    expect(await idsOf('?status=PROCESSING&pageSize=1')).toEqual([id]);
    expect(await idsOf('?status=COMPLETED&pageSize=1')).toEqual([first.id]);
    expect(await idsOf('?pageSize=1&page=2')).toEqual([first.id]);
    expect(await idsOf('?status=CREDITED')).toEqual([]);
    const [yes, no] = [await idsOf('?needsTransfer=true'), await idsOf('?needsTransfer=false')];
    expect([yes.includes(id), yes.includes(first.id)]).toEqual([true, false]);
    expect([no.includes(id), no.includes(first.id)]).toEqual([false, true]);
    expect(await idsOf('?needsTransfer=true&status=COMPLETED')).toEqual([]);
    const { pagination } = (await list('?needsTransfer=true&pageSize=1')).body.meta;
    expect(pagination.total).toBe(yes.length);
  });

  test('those that a person has to send are counted, with the time of the first', async () => {
    const figures = async () => (await inTransaction(staff.world.db, (tx) => transferFigures(tx))).byHand;
    const before = await figures();
    const { id } = await owed();
    await execute(
      staff.world.db,
      `UPDATE investment_withdrawals SET created_at = now() - interval '9 days' WHERE id = $1`,
      [id],
    );
    const { transfers, oldestSeconds } = await figures();
    expect(transfers).toBe(before.transfers + 1);
    expect(Math.floor(oldestSeconds / 86_400)).toBe(9);
    await settle(id);
    expect((await figures()).transfers).toBe(before.transfers);
  });

  test('refused: another status, and users', async () => {
    expect(outcomeOf(await list('?status=SENT'))).toBe('400 VALIDATION_ERROR');
    expect(outcomeOf(await list('?needsTransfer=maybe'))).toBe('400 VALIDATION_ERROR');
    expect(outcomeOf(await list('', staff.tokens.user))).toBe('403 FORBIDDEN');
  });
});

describe('GET /admin/withdrawals/:id', () => {
  const readings = (id: string) =>
    rows<{ actor: string }>(
      staff.world.db,
      `SELECT actor_id AS actor FROM audit_records WHERE action = 'withdrawal.read-destination' AND entity_id = $1`,
      [id],
    );

  test('shows where the money goes, and who has read it is recorded', async () => {
    const { id } = await owed();
    const { status, body } = await show(id);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id,
      payoutDetails: {
        method: 'BANK_TRANSFER',
        accountHolder: 'Ada Lovelace',
        bankName: 'Demo Bank',
        iban: IBAN,
      },
    });
    expect(await readings(id)).toEqual([{ actor: staff.admin.id }]);
  });

  test('that was sent shows no destination, and nothing is recorded', async () => {
    const { id } = await owed();
    await settle(id);
    expect((await show(id)).body.data).toMatchObject({ status: 'COMPLETED', payoutDetails: null });
    expect(await readings(id)).toEqual([]);
  });

  test('a destination that cannot be opened does not break the answer', async () => {
    const { id } = await owed();
    await execute(
      staff.world.db,
      `UPDATE investment_withdrawals SET details = decode('00', 'hex') || details WHERE id = $1`,
      [id],
    );
    expect((await show(id)).body.data.payoutDetails).toBeNull();
  });

  test('404 WITHDRAWAL_NOT_FOUND, and 403 FORBIDDEN for users and whose own it is', async () => {
    const { one, id } = await owed();
    expect(outcomeOf(await show(randomUUID()))).toBe('404 WITHDRAWAL_NOT_FOUND');
    expect(outcomeOf(await show(id, one.token))).toBe('403 FORBIDDEN');
    expect(outcomeOf(await show(id, await asAdministrator(one)))).toBe('403 FORBIDDEN');
  });
});

describe('POST /admin/withdrawals/:id/settle', () => {
  test('sent: it is over, and its process too', async () => {
    const { one, id } = await owed();
    const { status, body } = await settle(id, { reference: 'OUT-2' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id, status: 'COMPLETED', transferReference: 'OUT-2' });
    expect(await staff.world.temporal.workflow.getHandle(`withdrawal:${id}`).result()).toBe('COMPLETED');
    expect(await moneyOf(staff.world.db, one.user.id)).toMatchObject({ walletMinor: 0 });
    const audited = await rows(
      staff.world.db,
      `SELECT previous, next FROM audit_records WHERE action = 'withdrawal.settle' AND entity_id = $1`,
      [id],
    );
    expect(audited).toEqual([
      {
        previous: { status: 'PROCESSING', amountMinor: 1_000_00, currency: 'USD' },
        next: { status: 'COMPLETED', reference: 'OUT-2' },
      },
    ]);
  });

  test('refused by the bank: the money is in the wallet', async () => {
    const { one, id } = await owed();
    const { body } = await settle(id, { outcome: 'REFUSED' });
    expect(body.data).toMatchObject({ status: 'CREDITED', refusedBecause: 'Refused by the bank.' });
    expect(await moneyOf(staff.world.db, one.user.id)).toMatchObject({ walletMinor: 1_000_00 });
  });

  test('twins at once: one settles, the other is ALREADY_SETTLED', async () => {
    const { id } = await owed();
    const answers = await Promise.all([settle(id), settle(id, { outcome: 'REFUSED' })]);
    expect(answers.map(outcomeOf).sort()).toEqual(['200', '409 ALREADY_SETTLED']);
    expect(outcomeOf(await settle(id))).toBe('409 ALREADY_SETTLED');
  });

  test('one reference pays once, also if it looks different', async () => {
    const [first, second] = [await owed(), await owed()];
    await settle(first.id, { reference: 'OUT 3' });
    const taken = await settle(second.id, { reference: 'out3' });
    expect(outcomeOf(taken)).toBe('400 VALIDATION_ERROR');
    expect(taken.body.error).toMatchObject({
      reason: 'TRANSFER_ALREADY_USED',
      details: {
        reference: ['is already recorded for another payment'],
      },
    });
    const both = [await owed(), await owed()];
    const raced = await Promise.all(both.map(({ id }) => settle(id, { reference: 'OUT 4' })));
    expect(raced.map(outcomeOf).sort()).toEqual(['200', '400 VALIDATION_ERROR']);
  });

  test('CANNOT_SETTLE: its provider may still send it', async () => {
    const { id } = await owed();
    // After a restore that is not released nothing is sent, so that its process leaves it with the provider.
    const release = await restored(staff.world);
    await execute(staff.world.db, `UPDATE investment_withdrawals SET provider = 'sandbox' WHERE id = $1`, [
      id,
    ]);
    expect(outcomeOf(await settle(id))).toBe('400 CANNOT_SETTLE');
    await execute(staff.world.db, `UPDATE investment_withdrawals SET provider = 'bank' WHERE id = $1`, [id]);
    await release();
    expect(outcomeOf(await settle(id))).toBe('200');
  });

  test('404 WITHDRAWAL_NOT_FOUND, and 403 FORBIDDEN for users and whose own it is', async () => {
    const { one, id } = await owed();
    expect(outcomeOf(await settle(randomUUID()))).toBe('404 WITHDRAWAL_NOT_FOUND');
    expect(outcomeOf(await settle(id, {}, one.token))).toBe('403 FORBIDDEN');
    expect(outcomeOf(await settle(id, {}, await asAdministrator(one)))).toBe('403 FORBIDDEN');
    expect(outcomeOf(await settle(id, { reference: '' }))).toBe('400 VALIDATION_ERROR');
    await eventually(async () => expect((await show(id)).body.data.status).toBe('PROCESSING'));
  });
});

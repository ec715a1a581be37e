import { randomUUID } from 'node:crypto';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { CARD, SILENT_CARD } from '../../support/builders/investing/withdrawing';
import { make } from '../../support/builders/make';
import { fundsOf, payee, sandboxPayoutsOf, type Payee } from '../../support/builders/paying-out/payees';
import { signIn } from '../../support/builders/sign-in';
import { eventually } from '../../support/checks/eventually';
import { violations } from '../../support/checks/violations';
import { ownKillingWorld } from '../../support/worlds/killing-world';

let admin: string;
const world = ownKillingWorld();
beforeAll(async () => {
  admin = await signIn(world, await make.admin(world.db));
});
afterEach(async () => expect(await violations(world.db)).toEqual([]));

const post = (path: string, { token = admin, body = {}, key = randomUUID() } = {}) =>
  world.http.post(`/api/v1${path}`).auth(token, { type: 'bearer' }).set('Idempotency-Key', key).send(body);

/** A payout of 40.00 that an administrator has approved. */
async function approved(cardNumber: string): Promise<{ one: Payee; id: string }> {
  const one = await payee(world.db, { cardNumber });
  const token = await signIn(world, one.user);
  const { body } = await post('/mlm/payouts/request', { token, body: { amount: 40 } });
  const { id } = body.data as { id: string };
  expect((await post(`/admin/payouts/${id}/approve`)).status).toBe(200);
  return { one, id };
}

/** Locks a table against writes, so that others stop in the middle of their transactions. */
const holding = (table: string, meanwhile: () => Promise<void>): Promise<void> =>
  inTransaction(world.owner, async (tx) => {
    await execute(tx, `LOCK TABLE ${table} IN SHARE MODE`);
    await meanwhile();
  });
const someoneWaits = (): Promise<void> =>
  eventually(async () => {
    const waiting = await rows(
      world.db,
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(waiting.length).toBeGreaterThan(0);
  });
const isSentOnce = async ({ userId }: Payee): Promise<void> => {
  await eventually(async () =>
    expect(await fundsOf(world.db, userId)).toMatchObject({ heldMinor: 0, payouts: ['COMPLETED 4000'] }),
  );
  expect(await sandboxPayoutsOf(world.db, userId)).toEqual([{ transfer: 'ARRIVED 4000' }]);
};

describe('the worker, killed', () => {
  it('between the request and its hold: made once, when it is asked again', async () => {
    const one = await payee(world.db);
    const token = await signIn(world, one.user);
    const asked = { token, body: { amount: 40 }, key: randomUUID() };
    await holding('ledger_entries', async () => {
      void post('/mlm/payouts/request', asked).catch(() => undefined);
      await someoneWaits();
      await world.worker.kill();
    });
    expect(await fundsOf(world.db, one.userId)).toMatchObject({ heldMinor: 0, payouts: [] });
    await world.worker.start();
    await eventually(async () => expect((await post('/mlm/payouts/request', asked)).status).toBe(201));
    expect(await fundsOf(world.db, one.userId)).toMatchObject({
      heldMinor: 40_00,
      payouts: ['PENDING 4000'],
    });
  });

  it('between the mark and the transfer: it is sent once', async () => {
    const { one, id } = await approved(CARD);
    await holding('sandbox_transfers', async () => {
      void post(`/admin/payouts/${id}/process`).catch(() => undefined);
      await someoneWaits();
      await world.worker.kill();
    });
    const asked = await firstRow(
      world.db,
      'SELECT status, sendings, asked_at IS NOT NULL AS asked FROM payouts WHERE id = $1',
      [id],
    );
    expect(asked).toEqual({ status: 'PROCESSING', sendings: 1, asked: true });
    await world.worker.start();
    await isSentOnce(one);
  });

  it.each([
    ['the transfer and the ledger', 'ledger_entries'],
    ['the ledger and the mail', 'outbox_messages'],
  ])('between %s: it is booked once, and mailed once', async (_, table) => {
    const { one, id } = await approved(CARD);
    await holding(table, async () => {
      void post(`/admin/payouts/${id}/process`).catch(() => undefined);
      await someoneWaits();
      await world.worker.kill();
    });
    expect(await sandboxPayoutsOf(world.db, one.userId)).toEqual([{ transfer: 'ARRIVED 4000' }]);
    expect(await fundsOf(world.db, one.userId)).toMatchObject({
      ...{ heldMinor: 40_00, payouts: ['PROCESSING 4000'] },
    });
    await world.worker.start();
    await isSentOnce(one);
    const mails = await rows(world.db, 'SELECT 1 FROM outbox_messages WHERE reference = $1', [
      `payout:${id}:completed`,
    ]);
    expect(mails).toHaveLength(1);
  });

  it('between the transfer and our record of it: it is found, and not sent twice', async () => {
    const { one, id } = await approved(SILENT_CARD);
    void post(`/admin/payouts/${id}/process`).catch(() => undefined);
    await eventually(async () => expect(await sandboxPayoutsOf(world.db, one.userId)).toHaveLength(1));
    await world.worker.kill();
    await world.worker.start();
    await isSentOnce(one);
  });
});

describe('the API, killed', () => {
  it('between the request and its hold: made once, and the repetition has its answer', async () => {
    const one = await payee(world.db);
    const token = await signIn(world, one.user);
    const asked = { token, body: { amount: 40 }, key: randomUUID() };
    await holding('ledger_entries', async () => {
      void post('/mlm/payouts/request', asked).catch(() => undefined);
      await someoneWaits();
      await world.api.kill();
    });
    const isHeld = async () =>
      expect(await fundsOf(world.db, one.userId)).toMatchObject({
        ...{ heldMinor: 40_00, payouts: ['PENDING 4000'] },
      });
    await eventually(isHeld);
    await world.api.start();
    await eventually(async () => expect((await post('/mlm/payouts/request', asked)).status).toBe(201));
    await isHeld();
  });

  it('while it waits for the transfer: the worker finishes, and the repetition has its answer', async () => {
    const { one, id } = await approved(CARD);
    const key = randomUUID();
    await holding('sandbox_transfers', async () => {
      void post(`/admin/payouts/${id}/process`, { key }).catch(() => undefined);
      await someoneWaits();
      await world.api.kill();
    });
    await isSentOnce(one);
    await world.api.start();
    await eventually(async () => {
      const { status, body } = await post(`/admin/payouts/${id}/process`, { key });
      expect([status, (body as { data?: { status: string } }).data?.status]).toEqual([200, 'COMPLETED']);
    });
    expect(await sandboxPayoutsOf(world.db, one.userId)).toEqual([{ transfer: 'ARRIVED 4000' }]);
  });
});

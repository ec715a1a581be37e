import { randomUUID } from 'node:crypto';
import { execute, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { sendChargeback } from '../../support/builders/chargebacks';
import { press } from '../../support/builders/sandbox';
import { payer, TOP_UP_MINOR, topUpState, type Payer } from '../../support/builders/wallets/top-ups';
import { eventually } from '../../support/checks/eventually';
import { violations } from '../../support/checks/violations';
import { ownKillingWorld } from '../../support/worlds/killing-world';

const world = ownKillingWorld();
afterEach(async () => expect(await violations(world.db)).toEqual([]));

/** Locks a table against writes, so that a step stops in the middle of its transaction. */
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
/** Ends every connection that waits for a lock, as a PostgreSQL that restarts does. */
const dropTheWaiting = (): Promise<unknown> =>
  rows(
    world.owner,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
const becomes = (ada: Payer, state: object): Promise<void> =>
  eventually(async () => expect(await topUpState(world.db, ada.id)).toMatchObject(state));

const LOST = [
  ['the worker, killed', () => world.worker.kill(), () => world.worker.start()],
  ['PostgreSQL, lost', dropTheWaiting, () => Promise.resolve()],
] as const;

describe.each(LOST)('%s', (_, lose, restore) => {
  it.each([
    ['between the top-up and its attempt', 'payment_attempts'],
    ['between the attempt and the mail', 'outbox_messages'],
  ])('%s: opened once, and the repetition has its answer', async (_name, table) => {
    const [ada, key] = [await payer(world), randomUUID()];
    const ask = () => ada.topUp({ paymentMethod: 'BANK_TRANSFER' }, key);
    await holding(table, async () => {
      const unanswered = ask().catch((error: unknown) => error as Error);
      await someoneWaits();
      await lose();
      void unanswered;
    });
    await restore();
    await eventually(async () => expect((await ask()).status).toBe(201));
    expect(await topUpState(world.db, ada.id)).toMatchObject({
      ...{ topUps: ['PENDING_PAYMENT PENDING'], attempts: ['BANK_TRANSFER PENDING'], walletMinor: 0 },
    });
  });

  it.each([
    ['between the status and the ledger', 'ledger_entries'],
    ['between the status and the mail', 'outbox_messages'],
    ['between the capture and the status', 'top_ups'],
  ])('%s, while a card payment is applied: in the wallet once', async (_name, table) => {
    const ada = await payer(world);
    const { body } = await ada.topUp();
    await holding(table, async () => {
      await press(world, body.data.payment.paymentUrl as string, 'pay');
      await someoneWaits();
      await lose();
    });
    await restore();
    await becomes(ada, {
      ...{ topUps: ['PAID PAID'], attempts: ['CARD PAID'], walletMinor: TOP_UP_MINOR, refunds: [] },
      ...{ ledger: ['clearing_sandbox -10000', 'wallet 10000'], mails: ['paid'] },
    });
    const process = world.temporal.workflow.getHandle(`top-up:${body.data.topUpId}`);
    expect(await process.result()).toBe('PAID');
  });

  it('while its owner cancels it: cancelled once, also when the request is repeated', async () => {
    const [ada, key] = [await payer(world), randomUUID()];
    const topUpId = (await ada.topUp()).body.data.topUpId as string;
    await holding('top_ups', async () => {
      const unanswered = ada.cancel(topUpId, key).catch((error: unknown) => error as Error);
      await someoneWaits();
      await lose();
      void unanswered;
    });
    await restore();
    await eventually(async () => expect((await ada.cancel(topUpId, key)).status).toBe(200));
    await becomes(ada, { topUps: ['CANCELLED FAILED'], attempts: ['CARD EXPIRED'], walletMinor: 0 });
  });

  it('while a chargeback is applied: taken from the wallet once', async () => {
    const ada = await payer(world);
    const { body } = await ada.topUp();
    await press(world, body.data.payment.paymentUrl as string, 'pay');
    await becomes(ada, { topUps: ['PAID PAID'], walletMinor: TOP_UP_MINOR });
    const topUpId = body.data.topUpId as string;
    await holding('outbox_messages', async () => {
      await sendChargeback(world, { topUpId }, 'payment.charged_back');
      await someoneWaits();
      await lose();
    });
    await restore();
    await becomes(ada, {
      ...{ chargebacks: ['10000 TAKEN'], walletMinor: 0 },
      ledger: ['clearing_sandbox -10000', 'wallet 10000', 'wallet -10000', 'losses 10000'],
    });
  });
});

describe('the API, killed', () => {
  it('while it waits for the answer: the worker finishes, and the repetition has its answer', async () => {
    const [ada, key] = [await payer(world), randomUUID()];
    await holding('payment_attempts', async () => {
      const unanswered = ada.topUp({}, key).catch((error: unknown) => error as Error);
      await someoneWaits();
      await world.api.kill();
      void unanswered;
    });
    await world.api.start();
    await eventually(async () => expect((await ada.topUp({}, key)).status).toBe(201));
    expect((await topUpState(world.db, ada.id)).topUps).toEqual(['PENDING_PAYMENT PENDING']);
  });
});

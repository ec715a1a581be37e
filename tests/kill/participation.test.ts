import { v7 } from 'uuid';
import { execute, rows } from '../../db/sql/query';
import { inTransaction } from '../../db/sql/transaction';
import {
  participationMoved,
  participationProcess,
} from '../../workflows/investment/participation/participation.contract';
import { investmentState } from '../support/builders/investing/invested';
import { investmentProvider } from '../support/builders/investing/investment-provider';
import { investor, participationState, walletMinor } from '../support/builders/investing/investors';
import { make } from '../support/builders/make';
import { eventually } from '../support/checks/eventually';
import { violations } from '../support/checks/violations';
import { ownKillingWorld } from '../support/worlds/killing-world';
import { successorOf } from '../workflows/investment/participation/participations';

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
const becomes = (id: string, status: string): Promise<void> =>
  eventually(async () => expect(await participationState(world.db, id)).toMatchObject({ status }));
const inHalfAYear = (): string => new Date(Date.now() + 180 * 86_400_000).toISOString().slice(0, 10);
const handleOf = (participationId: string) =>
  world.temporal.workflow.getHandle(participationProcess.id({ participationId }));

describe('the worker, killed', () => {
  it.each([
    ['between the status and the deposit', 'investment_transactions'],
    ['between the deposit and the ledger', 'ledger_entries'],
    ['between the ledger and the mail', 'outbox_messages'],
  ])('%s of an investment: it is made once, and the repetition has its answer', async (_, table) => {
    const strategy = await make.strategy(world.db);
    const ada = await investor(world);
    const key = `kill-${table}`;
    await holding(table, async () => {
      const unanswered = ada.invest(strategy.id, {}, key).catch((error: unknown) => error as Error);
      await someoneWaits();
      await world.worker.kill();
      void unanswered;
    });
    expect(await rows(world.db, 'SELECT 1 FROM participations WHERE user_id = $1', [ada.id])).toEqual([]);
    await world.worker.start();
    const id = await eventuallyInvested(ada, strategy.id, key);
    expect(await participationState(world.db, id)).toMatchObject({
      ...{ status: 'ACTIVE', transactions: ['DEPOSIT 100000'], mails: ['started'] },
      ...{ ledger: ['wallet -100000', 'investments 100000'], events: ['investment.created'] },
    });
    expect(await walletMinor(world.db, ada.id)).toBe(49_000_00);
  });

  it.each([
    ['between the status and the ledger', 'ledger_entries'],
    ['between the ledger and the next term', 'domain_events'],
    ['between the next term and the mail', 'outbox_messages'],
  ])('%s of a maturity: it is paid out once, and its next term runs', async (_, table) => {
    const strategy = await make.strategy(world.db);
    const ada = await investor(world);
    const answer = await ada.invest(strategy.id, { options: { autoReinvest: true } });
    const id = answer.body.data.participationId as string;
    await holding(table, async () => {
      await execute(world.db, 'UPDATE participations SET matures_at = started_at WHERE id = $1', [id]);
      await handleOf(id).signal(participationMoved);
      await someoneWaits();
      await world.worker.kill();
    });
    expect(await participationState(world.db, id)).toMatchObject({
      status: 'ACTIVE',
      transactions: ['DEPOSIT 100000'],
    });
    await world.worker.start();
    await becomes(id, 'MATURED');
    expect(await handleOf(id).result()).toBe('MATURED');
    const next = await successorOf(world.db, id);
    expect(next).toMatchObject({ status: 'ACTIVE', amountMinor: 1_000_00 });
    expect((await handleOf(next!.id).describe()).status.name).toBe('RUNNING');
    expect(await participationState(world.db, id)).toMatchObject({
      ...{ transactions: ['DEPOSIT 100000', 'WITHDRAWAL 100000'], mails: ['started', 'matured'] },
    });
    expect(await walletMinor(world.db, ada.id)).toBe(49_000_00);
  });

  it('between a take-over by the provider and the search for card money: the money is found, and goes back once', async () => {
    const provider = await investmentProvider(world);
    const strategy = await make.strategy(world.db, { providerCode: provider.code });
    const ada = await investor(world);
    const answer = await ada.invest(strategy.id, { paymentMethod: 'CARD' });
    const id = answer.body.data.participationId as string;
    // Paid on the sandbox's page, and the report of it is lost.
    await execute(
      world.db,
      `INSERT INTO sandbox_payments (id, payment_key, amount_minor, currency, status, created_at)
       SELECT $1, a.id, a.amount_minor, a.currency, 'PAID', now() FROM payment_attempts a WHERE a.participation_id = $2`,
      [v7(), id],
    );
    const event = v7();
    await holding('payment_captures', async () => {
      const created = {
        ...{ externalId: v7(), userId: ada.id, participationId: id, strategyCode: strategy.strategyCode },
        ...{ amount: 1_000, currency: 'USD', startDate: '2026-06-01', maturityDate: inHalfAYear() },
      };
      await provider.send('investment.created', created, { id: event }).expect(202);
      await provider.becomes(event, 'PROCESSED');
      await someoneWaits();
      await world.worker.kill();
    });
    expect(await investmentState(world.db, id)).toMatchObject({ participation: 'ACTIVE PAID', refunds: [] });
    await world.worker.start();
    const refunds = ['DUPLICATE_PAYMENT 100000 COMPLETED'];
    await eventually(async () => expect(await investmentState(world.db, id)).toMatchObject({ refunds }));
    expect(await participationState(world.db, id)).toMatchObject({
      ...{ status: 'ACTIVE', transactions: ['DEPOSIT 100000'], mails: ['started'] },
    });
  });
});

/** Repeats an investment under its key until it is answered. */
async function eventuallyInvested(
  ada: Awaited<ReturnType<typeof investor>>,
  strategyId: string,
  key: string,
): Promise<string> {
  let id = '';
  await eventually(async () => {
    const { status, body } = await ada.invest(strategyId, {}, key);
    expect(status).toBe(201);
    id = body.data.participationId as string;
  });
  return id;
}

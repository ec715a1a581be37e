import { randomUUID } from 'node:crypto';
import { execute, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { walletMinor } from '../../support/builders/investing/investors';
import { joiner, membershipState, type Joiner } from '../../support/builders/partnering/joining';
import { press } from '../../support/builders/sandbox';
import { eventually } from '../../support/checks/eventually';
import { violations } from '../../support/checks/violations';
import { ownKillingWorld } from '../../support/worlds/killing-world';

const world = ownKillingWorld({ variables: { PARTNER_ENTRANCE_FEE: '49.90' } });
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
/** Repeats a request to join under its key until it is answered. */
const eventuallyJoined = (ada: Joiner, key: string): Promise<void> =>
  eventually(async () =>
    expect((await ada.join({ paymentMethod: 'BALANCE' }, key)).body.data?.status).toBe('ACTIVE'),
  );

/** Ends every connection that waits for a lock, as a PostgreSQL that restarts does. */
const dropTheWaiting = (): Promise<unknown> =>
  rows(
    world.owner,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
/** The state of a person who has asked from the balance, and whose request stopped in the middle. */
async function midJoin(table: string, lose: () => Promise<unknown>): Promise<{ ada: Joiner; key: string }> {
  const ada = await joiner(world, { walletMinor: 100_00 });
  const key = randomUUID();
  await holding(table, async () => {
    const unanswered = ada.join({ paymentMethod: 'BALANCE' }, key).catch((error: unknown) => error as Error);
    await someoneWaits();
    await lose();
    void unanswered;
  });
  return { ada, key };
}
const TABLES = [
  ['between the entrance fee and the partner', 'partners'],
  ['between the partner and the mail', 'outbox_messages'],
  ['between the mail and the ledger', 'ledger_entries'],
] as const;

/** Repeats the request until it is answered; whatever was lost, it was carried out once. */
async function joinedOnce(ada: Joiner, key: string): Promise<void> {
  await eventuallyJoined(ada, key);
  expect(await membershipState(world.db, ada.id)).toMatchObject({ ...PAID, mails: ['joined'] });
  expect(await walletMinor(world.db, ada.id)).toBe(50_10);
}

const PAID = { partner: 'ACTIVE', entrances: ['PAID PAID'], events: ['entrance.paid', 'partner.joined'] };

describe('the worker, killed', () => {
  it.each(TABLES)('%s: joined once and paid once, and the repetition has its answer', async (_, table) => {
    const { ada, key } = await midJoin(table, () => world.worker.kill());
    expect(await membershipState(world.db, ada.id)).toMatchObject({
      partner: null,
      entrances: [],
      mails: [],
    });
    await world.worker.start();
    await joinedOnce(ada, key);
  });

  it('while a card payment is applied: a partner once, paid once', async () => {
    const ada = await joiner(world);
    const { body } = await ada.join({ paymentMethod: 'CARD' });
    await holding('ledger_entries', async () => {
      await press(world, body.data.payment.paymentUrl as string, 'pay');
      await someoneWaits();
      await world.worker.kill();
    });
    await world.worker.start();
    await eventually(async () =>
      expect(await membershipState(world.db, ada.id)).toMatchObject({
        ...PAID,
        ...{
          attempts: ['CARD PAID'],
          ledger: ['clearing_sandbox -4990', 'entrance_fees 4990'],
          mails: ['joined'],
        },
      }),
    );
    expect(await world.temporal.workflow.getHandle(`partner-entrance:${ada.id}`).result()).toBe('JOINED');
  });
});

describe('the API, killed', () => {
  it.each(TABLES)('%s: the worker finishes, and the repetition has its answer', async (_, table) => {
    const { ada, key } = await midJoin(table, () => world.api.kill());
    await world.api.start();
    await joinedOnce(ada, key);
  });
});

describe('PostgreSQL, lost', () => {
  it.each(TABLES)('%s: the step is repeated, and carried out once', async (_, table) => {
    const { ada, key } = await midJoin(table, dropTheWaiting);
    await joinedOnce(ada, key);
  });

  it('while a card payment is applied: a partner once, paid once', async () => {
    const ada = await joiner(world);
    const { body } = await ada.join({ paymentMethod: 'CARD' });
    await holding('ledger_entries', async () => {
      await press(world, body.data.payment.paymentUrl as string, 'pay');
      await someoneWaits();
      await dropTheWaiting();
    });
    await eventually(async () =>
      expect(await membershipState(world.db, ada.id)).toMatchObject({ ...PAID, mails: ['joined'] }),
    );
    expect(await world.temporal.workflow.getHandle(`partner-entrance:${ada.id}`).result()).toBe('JOINED');
  });
});

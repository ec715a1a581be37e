import { randomUUID } from 'node:crypto';
import { execute, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import {
  CARD,
  investor,
  moneyOf,
  sandboxTransfersOf,
  SILENT_CARD,
  type Investor,
} from '../../support/builders/investing/withdrawing';
import { eventually } from '../../support/checks/eventually';
import { violations } from '../../support/checks/violations';
import { ownKillingWorld } from '../../support/worlds/killing-world';

const world = ownKillingWorld();
afterEach(async () => expect(await violations(world.db)).toEqual([]));

const to = (cardNumber: string) => ({ withdrawalMethod: 'BANK_CARD', details: { cardNumber } });

/** Locks a table against writes, so that others stop in the middle of their transactions. */
const holding = (table: string, meanwhile: () => Promise<void>): Promise<void> =>
  inTransaction(world.db, async (tx) => {
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
const isSentOnce = async ({ user }: Investor): Promise<void> => {
  await eventually(async () =>
    expect(await moneyOf(world.db, user.id)).toEqual({
      ...{ walletMinor: 0, participation: 'WITHDRAWN', withdrawals: ['COMPLETED 100000'] },
    }),
  );
  expect(await sandboxTransfersOf(world.db, user.id)).toEqual([{ transfer: 'ARRIVED 100000' }]);
};

describe('the worker, killed', () => {
  it('between the ledger and the withdrawal: both are written once, and the owner is answered', async () => {
    const one = await investor(world);
    const key = randomUUID();
    await holding('investment_withdrawals', async () => {
      void one.withdraw(to(CARD), { key }).catch(() => undefined);
      await someoneWaits();
      await world.worker.kill();
    });
    expect(await moneyOf(world.db, one.user.id)).toMatchObject({ participation: 'ACTIVE', withdrawals: [] });
    await world.worker.start();
    await eventually(async () => expect((await one.withdraw(to(CARD), { key })).status).toBe(200));
    await isSentOnce(one);
  });

  it('between the transfer and our record of it: it is found, and not sent twice', async () => {
    const one = await investor(world);
    expect((await one.withdraw(to(SILENT_CARD))).status).toBe(200);
    // The first answer is lost; the next try, a second later, looks it up and records it.
    await eventually(async () => expect(await sandboxTransfersOf(world.db, one.user.id)).toHaveLength(1));
    await holding('investment_withdrawals', async () => {
      await someoneWaits();
      await world.worker.kill();
    });
    expect(await moneyOf(world.db, one.user.id)).toMatchObject({ withdrawals: ['PROCESSING 100000'] });
    await world.worker.start();
    await isSentOnce(one);
  });
});

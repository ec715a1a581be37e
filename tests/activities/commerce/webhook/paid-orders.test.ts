import {
  webhookSweepActivities,
  type StartProcess,
} from '../../../../activities/commerce/webhook/webhook-sweep.activities';
import { execute } from '../../../../db/sql/query';
import { given } from '../../../support/builders/given';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();

const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);

/** An order that was paid so long ago; `isBegun`: its processing has begun. */
async function paid(minutes: number, isBegun = false): Promise<string> {
  const { orderId } = await given(own.db).order().paid();
  await execute(own.db, `UPDATE orders SET status = $3, paid_at = $2 WHERE id = $1`, [
    orderId,
    minutesAgo(minutes),
    isBegun ? 'PROCESSING' : 'PAID',
  ]);
  return orderId;
}

test('fulfilment of orders that were paid and are not begun is started, but where it waits for an operator', async () => {
  const [, lost, parked] = [await paid(9), await paid(11), await paid(12), await paid(13, true)];
  await execute(
    own.db,
    `INSERT INTO parked_processes VALUES ('fulfilment:' || $1, 'fulfilment', $1, 'lost', 'lost', now())`,
    [parked],
  );
  const started: string[] = [];
  const start: StartProcess = (process, input) => {
    const isNew = !started.includes(process.id(input));
    if (isNew) started.push(process.id(input));
    return Promise.resolve(isNew ? 'started' : 'already started');
  };
  const { startForgottenCheckouts } = webhookSweepActivities({ db: own.db, start });
  const sweep = () => startForgottenCheckouts({ at: new Date().toISOString() });
  expect(await sweep()).toEqual({ started: 1 });
  expect(started).toEqual([`fulfilment:${lost}`]);
  expect(await sweep()).toEqual({ started: 0 });
});

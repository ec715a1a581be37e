import { join } from 'node:path';
import { v7 } from 'uuid';
import { brokenIn, brokenInvariants } from '../../../db/invariants/broken.reads';
import type { Broken } from '../../../db/invariants/invariant';
import { invariantList } from '../../../db/invariants/invariant-list';
import { exportsIn } from '../../../db/program/program-files';
import { execute, rows, type Tx } from '../../../db/sql/query';
import { checkProcesses } from '../../../workers/checks/check-processes';
import { checkoutProcess } from '../../../workflows/commerce/checkout/checkout.contract';
import { paymentEventProcess } from '../../../workflows/commerce/payment-event/payment-event.contract';
import { paymentRefundProcess } from '../../../workflows/commerce/refund/payment-refund.contract';
import type { ProcessDefinition } from '../../../workflows/kit/process';
import { sendChargeback } from '../../support/builders/chargebacks';
import { make } from '../../support/builders/make';
import { orderRow, press } from '../../support/builders/sandbox';
import { shopper } from '../../support/builders/shop';
import { eventually } from '../../support/checks/eventually';
import type { World } from '../../support/worlds/world';
import * as violations from '../../workers/violations';
import { noGrace, one } from '../../workers/violations';
import { becomeHealthy, startShop, type HealthyWorld } from './healthy.world';
import { eventAbout, refundFor } from './inputs';
import type { Proof } from './proof';

let world: World;
let healthy: HealthyWorld;
beforeAll(async () => {
  world = await startShop();
  healthy = await becomeHealthy(world);
});
afterAll(() => world.teardown());

describe('invariants of the database', () => {
  const proofs = exportsIn(join(__dirname, 'proofs'), 'proofs').flat() as Proof[];

  /** Breaks the world as only a superuser can, looks at it, and takes it all back. */
  async function seenAfter(
    breaks: (tx: Tx) => Promise<string>,
  ): Promise<{ entity: string; broken: Broken[] }> {
    const { owner } = world;
    const transaction = await owner.sequelize.transaction();
    const tx = { ...owner, transaction };
    try {
      await execute(tx, 'SET LOCAL session_replication_role = replica');
      const entity = await breaks(tx);
      return { entity, broken: await brokenIn(tx) };
    } finally {
      await transaction.rollback();
    }
  }

  test('in a shop where everything happened and came right, everything holds', async () => {
    expect(await brokenInvariants(world.db)).toEqual([]);
  });

  test('every invariant has a proof, an id of its own and a rule in words', () => {
    const ids = invariantList.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...new Set(proofs.map(({ invariant }) => invariant))].sort()).toEqual([...ids].sort());
    for (const { says } of invariantList) expect(says).toMatch(/^[A-Z].+\.$/);
  });

  test.each(proofs)('$invariant: $how is named, and nothing else', async ({ invariant, breaks }) => {
    const { entity, broken } = await seenAfter((tx) => breaks(tx, healthy));
    expect(broken).toEqual([{ invariant, entity, detail: expect.stringMatching(/./) }]);
  });

  test('a rule that a row makes impossible to check is named, and the others are checked', async () => {
    const { broken } = await seenAfter(async (tx) => {
      await execute(
        tx,
        `UPDATE domain_events SET data = data || '{"amountMinor": "many"}' WHERE type = 'investment.created'`,
      );
      await execute(
        tx,
        `INSERT INTO ledger_transfers (id, kind, subject_id, created_at)
         VALUES (gen_random_uuid(), 'seed-wallet', 'empty', now())`,
      );
      return '';
    });
    const unchecked = 'events.announce-investments';
    expect(broken).toContainEqual({
      ...{ invariant: unchecked, entity: unchecked },
      detail: 'unchecked: the database answers 22P02',
    });
    expect(broken).toHaveLength(2);
  });

  test('of very many broken rows fifty are named', async () => {
    const { broken } = await seenAfter(async (tx) => {
      await execute(
        tx,
        `INSERT INTO ledger_transfers (id, kind, subject_id, created_at)
       SELECT gen_random_uuid(), 'seed-wallet', 'empty ' || n, now() FROM generate_series(1, 60) AS n`,
      );
      return '';
    });
    expect(broken).toHaveLength(50);
  });

  test('a report waits as long as the policy says', async () => {
    const transaction = await world.db.sequelize.transaction();
    const tx = { ...world.db, transaction };
    try {
      await execute(
        tx,
        `INSERT INTO webhook_events (id, kind, provider, external_event_id, type, body, body_hash, status, received_at,
           started_at) VALUES (gen_random_uuid(), 'INVESTMENT', 'alpha', 'waits', 'profit.distributed', '{}', '', 'WAITING',
           now() - interval '6 days', now() - interval '6 days')`,
      );
      const broken = async (eventPatienceDays?: number) =>
        (await brokenIn(tx, eventPatienceDays === undefined ? {} : { eventPatienceDays })).map(
          ({ invariant }) => invariant,
        );
      expect(await broken(7)).toEqual([]);
      for (const days of [5, undefined]) expect(await broken(days)).toEqual(['webhooks.are-dealt-with']);
    } finally {
      await transaction.rollback();
    }
  });

  test('it waits for no lock of rows that change, and allows automatic steps some time', async () => {
    const { sequelize } = world.db;
    const transaction = await sequelize.transaction();
    const tx = { sequelize, transaction };
    try {
      await execute(tx, `UPDATE coupons SET used_count = used_count + 1`);
      await execute(tx, `LOCK TABLE coupons, orders IN EXCLUSIVE MODE`);
      expect(await brokenInvariants(world.db)).toEqual([]);
    } finally {
      await transaction.rollback();
    }
    const impatient = await brokenInvariants(world.db, { patienceSeconds: 0 });
    expect(new Set(impatient.map(({ invariant }) => invariant))).toEqual(new Set(['outbox.goes-out']));
  });
});

describe('invariants of processes', () => {
  beforeAll(async () => {
    await world.work();
    await eventually(async () => expect(await checkProcesses(world.temporal, world.db, noGrace)).toEqual([]));
  });

  const violationsAfter = (statement: string, bind: readonly unknown[], options?: object) =>
    violations.violationsAfter(world, statement, bind, options);
  const violationsWhileRunning = <Input>(process: ProcessDefinition<Input>, input: Input) =>
    violations.violationsWhileRunning(world, process, input);
  const eventOf = (orderId: string) => eventAbout(world.db, orderId);
  const requestOf = async (orderId: string): Promise<string> => {
    const [found] = await rows<{ id: string }>(
      world.db,
      'SELECT id FROM refund_requests WHERE order_id = $1',
      [orderId],
    );
    return found!.id;
  };
  const refundOf = (orderId: string) => refundFor(world.db, orderId);

  describe('processes.drive-open-rows', () => {
    const undriven = (entity: string, detail: RegExp) => one('processes.drive-open-rows', entity, detail);

    test('an unpaid order without a process', async () => {
      const { givenUp: id } = healthy.orders;
      const broken = await violationsAfter(`UPDATE orders SET status = 'PENDING_PAYMENT' WHERE id = $1`, [
        id,
      ]);
      expect(broken).toEqual(undriven(id, /PENDING_PAYMENT, but checkout:.+ does not run/));
    });

    test.each(['PAID', 'PROCESSING', 'SHIPPED'])('an order that is %s without a process', async (status) => {
      const { returned: id } = healthy.orders;
      const broken = await violationsAfter(`UPDATE orders SET status = $2 WHERE id = $1`, [id, status]);
      expect(broken).toEqual(undriven(id, /but fulfilment:.+ does not run/));
    });

    test('a refund without a process', async () => {
      const { refundId } = await refundOf(healthy.orders.returned);
      const broken = await violationsAfter(
        `UPDATE payment_refunds SET status = 'PROCESSING', provider_refund_id = NULL, completed_at = NULL WHERE id = $1`,
        [refundId],
      );
      expect(broken).toEqual(undriven(refundId, /but payment-refund:.+ does not run/));
    });

    test('a refund request without a process', async () => {
      const id = await requestOf(healthy.orders.turnedDown);
      const broken = await violationsAfter(
        `UPDATE refund_requests SET status = 'PENDING_REVIEW', decided_at = NULL, decision_id = NULL, concluded_at = NULL
       WHERE id = $1`,
        [id],
      );
      expect(broken).toEqual(undriven(id, /PENDING_REVIEW, but refund:.+ does not run/));
    });

    test('a participation that runs without a process', async () => {
      const { matured: id } = healthy.participations;
      const broken = await violationsAfter(
        `UPDATE participations SET status = 'ACTIVE', ended_at = NULL WHERE id = $1`,
        [id],
      );
      expect(broken).toEqual(undriven(id, /is ACTIVE, but participation:.+ does not run/));
    });

    test('a transfer on its way without a process', async () => {
      const { sent: id } = healthy.withdrawals;
      const broken = await violationsAfter(
        `UPDATE investment_withdrawals SET status = 'PROCESSING', ended_at = NULL WHERE id = $1`,
        [id],
      );
      expect(broken).toEqual(undriven(id, /is PROCESSING, but withdrawal:.+ does not run/));
    });

    test.each(['RECEIVED', 'WAITING'])('an event that is %s without a process', async (status) => {
      const { webhookEventId } = await eventOf(healthy.orders.paid);
      const broken = await violationsAfter(`UPDATE webhook_events SET status = $2 WHERE id = $1`, [
        webhookEventId,
        status,
      ]);
      expect(broken).toEqual(undriven(webhookEventId, /but webhook:sandbox:.+ does not run/));
    });
  });

  describe('processes.end-with-their-rows', () => {
    const withoutWork = (entity: string, detail: RegExp) =>
      one('processes.end-with-their-rows', entity, detail);

    test('a checkout whose order is cancelled', async () => {
      const { declined: id } = healthy.orders;
      const broken = await violationsAfter(`UPDATE orders SET status = 'CANCELLED' WHERE id = $1`, [id]);
      expect(broken).toEqual(withoutWork(id, /^checkout:.+ still runs: .+ is CANCELLED$/));
    });

    test('unless it waits for an operator', async () => {
      const { declined: id } = healthy.orders;
      const broken = await violationsAfter(
        `WITH cancelled AS (UPDATE orders SET status = 'CANCELLED' WHERE id = $1)
       INSERT INTO parked_processes VALUES ('checkout:' || $1::text, 'checkout', $1::text, '', '', now(), 'run')`,
        [id],
      );
      expect(broken).toEqual([]);
    });

    test.each(['CANCELLED', 'DELIVERED', 'REFUNDED'])('a fulfilment whose order is %s', async (status) => {
      const { paid: id } = healthy.orders;
      const broken = await violationsAfter(`UPDATE orders SET status = $2 WHERE id = $1`, [id, status]);
      expect(broken).toEqual(withoutWork(id, /^fulfilment:.+ still runs/));
    });

    test('a completed refund', async () => {
      const refund = await refundOf(healthy.orders.returned);
      const broken = await violationsWhileRunning(paymentRefundProcess, refund);
      expect(broken).toEqual(withoutWork(refund.refundId, /^payment-refund:.+ still runs: .+ is COMPLETED/));
    });

    test('a rejected refund request', async () => {
      const id = await requestOf(healthy.orders.refundRequested);
      const broken = await violationsAfter(
        `UPDATE refund_requests SET status = 'REJECTED', decided_at = now(), decision_id = id,
         concluded_at = now() - interval '1 second' WHERE id = $1`,
        [id],
      );
      expect(broken).toEqual(withoutWork(id, /^refund:.+ still runs: .+ is REJECTED$/));
    });

    test('a participation that is over', async () => {
      const { running: id } = healthy.participations;
      const broken = await violationsAfter(
        `UPDATE participations SET status = 'MATURED', ended_at = now() - interval '1 second' WHERE id = $1`,
        [id],
      );
      expect(broken).toEqual(withoutWork(id, /^participation:.+ still runs: .+ is MATURED$/));
    });

    test('an event that is processed', async () => {
      const event = await eventOf(healthy.orders.paid);
      const broken = await violationsWhileRunning(paymentEventProcess, event);
      expect(broken).toEqual(withoutWork(event.webhookEventId, /^webhook:.+ still runs: .+ is PROCESSED/));
    });

    test('a checkout of an order that was never placed', async () => {
      const input = { orderId: v7(), userId: v7() };
      const broken = await violationsWhileRunning(checkoutProcess, input);
      expect(broken).toEqual(withoutWork(input.orderId, /still runs: there is no row of it/));
    });
  });

  test('processes.mature-in-time: a participation that matured two hours ago and still runs', async () => {
    const { running: id } = healthy.participations;
    const broken = await violationsAfter(
      `UPDATE participations SET started_at = now() - interval '3 hours', matures_at = now() - interval '2 hours'
       WHERE id = $1`,
      [id],
    );
    expect(broken).toEqual(one('processes.mature-in-time', id, /is ACTIVE, its maturity was/));
  });

  describe('processes.parked-are-listed', () => {
    const wronglyListed = (entity: string, detail: RegExp) =>
      one('processes.parked-are-listed', entity, detail);

    test('the list holds a process that does not run', async () => {
      const broken = await violationsAfter(
        `INSERT INTO parked_processes VALUES ('checkout:gone', 'checkout', $1, 'lost', 'lost', now() - interval '1 second', 'run')`,
        [v7()],
      );
      expect(broken).toEqual(wronglyListed('checkout:gone', /does not run/));
    });

    test('the list lacks a process that waits for an operator', async () => {
      const product = await make.product(world.db);
      const { order } = await shopper(world, [{ productId: product.id }]);
      const { orderId, payment } = await order();
      await press(world, payment.paymentUrl!, 'pay');
      await eventually(async () =>
        expect(await orderRow(world, orderId)).toEqual({ status: 'PROCESSING', paymentStatus: 'PAID' }),
      );
      // It refunds more than was paid, so it parks.
      await sendChargeback(world, orderId, 'payment.charged_back', { amountMinor: 999_999 });
      const parked = await eventually(async () => {
        const [found] = await rows<{ id: string }>(
          world.db,
          'SELECT workflow_id AS id FROM parked_processes',
        );
        return found!.id;
      });
      await eventually(async () => {
        const broken = await violationsAfter(`DELETE FROM parked_processes WHERE workflow_id = $1`, [parked]);
        expect(broken).toEqual(wronglyListed(parked, /is not on the operators’ list/));
      });
      expect(await checkProcesses(world.temporal, world.db, noGrace)).toEqual([]);
    });
  });

  test('a row and its process may differ for a minute', async () => {
    const moved = `UPDATE orders SET status = 'PROCESSING', updated_at = now() WHERE id = $1`;
    expect(await violationsAfter(moved, [healthy.orders.returned], {})).toEqual([]);
  });
});

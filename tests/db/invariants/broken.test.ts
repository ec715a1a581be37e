import { brokenIn, brokenInvariants } from '../../../db/invariants/broken.reads';
import { invariantList } from '../../../db/invariants/invariant-list';
import type { Broken } from '../../../db/invariants/invariant';
import { execute, type Tx } from '../../../db/sql/query';
import { catalogueProofs } from './proofs/catalogue.proofs';
import { chargebackProofs } from './proofs/chargeback.proofs';
import { couponProofs } from './proofs/coupon.proofs';
import { domainEventProofs } from './proofs/domain-event.proofs';
import { startHealthyWorld, type HealthyWorld } from './healthy.world';
import { ledgerProofs } from './proofs/ledger.proofs';
import { orderProofs } from './proofs/order.proofs';
import { paymentProofs } from './proofs/payment.proofs';
import { platformProofs } from './proofs/platform.proofs';
import { refundProofs } from './proofs/refund.proofs';
import { shipmentProofs } from './proofs/shipment.proofs';
import { reviewProofs } from './proofs/review.proofs';
import { stockProofs } from './proofs/stock.proofs';

const proofs = [
  ...ledgerProofs,
  ...catalogueProofs,
  ...stockProofs,
  ...couponProofs,
  ...orderProofs,
  ...shipmentProofs,
  ...paymentProofs,
  ...refundProofs,
  ...chargebackProofs,
  ...domainEventProofs,
  ...platformProofs,
  ...reviewProofs,
];

let healthy: HealthyWorld;
beforeAll(async () => {
  healthy = await startHealthyWorld();
}, 120_000);
afterAll(() => healthy.world.teardown());

/** Breaks the world as only a superuser can, looks at it, and takes it all back. */
async function seenAfter(breaks: (tx: Tx) => Promise<string>): Promise<{ entity: string; broken: Broken[] }> {
  const { owner } = healthy.world;
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
  expect(await brokenInvariants(healthy.world.db)).toEqual([]);
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

test('of very many broken rows fifty are named', async () => {
  const { broken } = await seenAfter(async (tx) => {
    await execute(
      tx,
      `INSERT INTO ledger_transfers (id, reference, created_at)
       SELECT gen_random_uuid(), 'empty ' || n, now() FROM generate_series(1, 60) AS n`,
    );
    return '';
  });
  expect(broken).toHaveLength(50);
});

test('it reads one snapshot, waits for no lock, and allows automatic steps some time', async () => {
  const { sequelize } = healthy.world.db;
  const transaction = await sequelize.transaction();
  const tx = { sequelize, transaction };
  try {
    await execute(tx, `UPDATE coupons SET used_count = used_count + 1`);
    await execute(tx, `LOCK TABLE coupons, orders IN EXCLUSIVE MODE`);
    expect(await brokenInvariants(healthy.world.db)).toEqual([]);
  } finally {
    await transaction.rollback();
  }
  const impatient = await brokenInvariants(healthy.world.db, { patienceSeconds: 0 });
  expect(new Set(impatient.map(({ invariant }) => invariant))).toEqual(new Set(['outbox.goes-out']));
});

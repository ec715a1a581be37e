import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { z } from 'zod';
import { firstRow } from '../../../../db/sql';
import { brokenBooks } from '../../../support/books';
import { eventually } from '../../../support/eventually';
import { make } from '../../../support/make';
import { orderRow } from '../../../support/sandbox';
import { shopper } from '../../../support/shop';
import { signIn } from '../../../support/sign-in';
import { startWorld, type World } from '../../../support/world';

let world: World;
let staff: Awaited<ReturnType<typeof make.admin>>;
let staffToken: string;
beforeAll(async () => {
  world = await startWorld();
  staff = await make.admin(world.db);
  staffToken = await signIn(world, staff);
});
afterAll(async () => {
  expect(await brokenBooks(world.db)).toEqual([]);
  await world.teardown();
});

const confirm = async (orderId: string, body: object, token = staffToken): Promise<Response> =>
  world.http.post(`/api/v1/admin/orders/${orderId}/payment`).auth(token, { type: 'bearer' }).send(body);
async function transferOrder() {
  const product = await make.product(world.db);
  const ada = await shopper(world, [{ productId: product.id }]);
  return { ada, ...(await ada.order({ paymentMethod: 'BANK_TRANSFER' })) };
}

describe('POST /admin/orders/:id/payment', () => {
  it('confirms a transfer: the order is paid, and the trail says by whom and from where', async () => {
    const { orderId, orderNumber } = await transferOrder();
    const answer = await confirm(orderId, { amount: 30, transactionId: 'BANK-1' });
    expect(answer.status).toBe(200);
    expect(
      z
        .strictObject({ id: z.uuid(), orderNumber: z.string(), status: z.string(), confirmedBy: z.uuid() })
        .parse(answer.body.data),
    ).toEqual({ id: orderId, orderNumber, status: 'PAID', confirmedBy: staff.id });
    await eventually(async () =>
      expect(await orderRow(world, orderId)).toEqual({ status: 'PROCESSING', paymentStatus: 'PAID' }),
    );
    const trail = await firstRow(
      world.db,
      `SELECT actor_id AS actor, action, client_address AS address, next->>'transactionId' AS transaction
       FROM audit_records WHERE entity_id = $1`,
      [orderId],
    );
    expect(trail).toEqual({
      actor: staff.id,
      action: 'order.confirm-transfer',
      address: expect.stringMatching(/127\.0\.0\.1/) as string,
      transaction: 'BANK-1',
    });
  });

  it('refuses another amount (AMOUNT_MISMATCH), a transfer used before, and an order that is paid (NOT_PAYABLE)', async () => {
    const { orderId } = await transferOrder();
    const wrong = await confirm(orderId, { amount: 29.99, transactionId: 'BANK-2' });
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 'AMOUNT_MISMATCH']);
    await confirm(orderId, { amount: 30, transactionId: 'BANK-2' });
    const twice = await confirm(orderId, { amount: 30, transactionId: 'BANK-3' });
    expect([twice.status, twice.body.error.code]).toEqual([400, 'NOT_PAYABLE']);
    const other = await transferOrder();
    const used = await confirm(other.orderId, { amount: 30, transactionId: 'BANK-2' });
    expect([used.status, used.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(Object.keys(used.body.error.details)).toEqual(['transactionId']);
  });

  it('refuses an order that is paid by card: NOT_PAYABLE', async () => {
    const product = await make.product(world.db);
    const ada = await shopper(world, [{ productId: product.id }]);
    const { orderId } = await ada.order();
    const answer = await confirm(orderId, { amount: 30, transactionId: 'BANK-4' });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'NOT_PAYABLE']);
  });

  it('is for administrators, on orders of others, with a body', async () => {
    const { ada, orderId } = await transferOrder();
    const body = { amount: 30, transactionId: 'BANK-5' };
    expect((await confirm(orderId, body, ada.token)).body.error.code).toBe('FORBIDDEN');
    expect((await world.http.post(`/api/v1/admin/orders/${orderId}/payment`).send(body)).status).toBe(401);
    expect((await confirm(randomUUID(), body)).body.error.code).toBe('ORDER_NOT_FOUND');
    expect((await confirm('nope', body)).body.error.code).toBe('VALIDATION_ERROR');
    expect(Object.keys((await confirm(orderId, { amount: 1.001 })).body.error.details).sort()).toEqual([
      'amount',
      'transactionId',
    ]);
    const product = await make.product(world.db);
    const boss = await shopper(world, [{ productId: product.id }], { roles: ['USER', 'ADMIN'] });
    const own = await boss.order({ paymentMethod: 'BANK_TRANSFER' });
    const answer = await confirm(own.orderId, body, boss.token);
    expect([answer.status, answer.body.error.code]).toEqual([403, 'FORBIDDEN']);
  });
});

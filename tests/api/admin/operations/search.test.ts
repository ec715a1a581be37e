import { firstRow } from '../../../../db/sql/query';
import { given } from '../../../support/builders/given';
import { eventually } from '../../../support/checks/eventually';
import { startStuckWorld, type StuckWorld } from './stuck-refund';

let stuck: StuckWorld;
beforeAll(async () => {
  stuck = await startStuckWorld();
});
afterAll(() => stuck.world.teardown());

it('all processes of an order are found by it in Temporal, with summaries that begin with its number', async () => {
  const { world, bank, token } = stuck;
  bank.refuses = false;
  const { orderId } = await given(world).order().paid().shipped();
  const order = await firstRow<{ number: string; userId: string }>(
    world.db,
    'SELECT number, user_id FROM orders WHERE id = $1',
    [orderId],
  );
  const refunded = await world.http
    .post(`/api/v1/admin/orders/${orderId}/refunds`)
    .auth(token, { type: 'bearer' })
    .send({ amount: 10, reason: 'One arrived broken.' });
  expect(refunded.status).toBe(201);

  const kinds = ['checkout', 'fulfilment', 'paymentEvent', 'paymentRefund', 'refundRequest'];
  const found = await eventually(async () => {
    const ids: string[] = [];
    const types: string[] = [];
    for await (const process of world.temporal.workflow.list({ query: `OrderId = "${orderId}"` })) {
      ids.push(process.workflowId);
      types.push(process.type);
    }
    expect([...new Set(types)].sort()).toEqual(kinds);
    return ids;
  });
  const ofBuyer: string[] = [];
  for await (const { workflowId } of world.temporal.workflow.list({ query: `UserId = "${order!.userId}"` }))
    ofBuyer.push(workflowId);
  expect(ofBuyer).toEqual(expect.arrayContaining(found));

  const summaries = await Promise.all(
    found.map(async (workflowId) => {
      const { staticSummary, type } = await world.temporal.workflow
        .getHandle(workflowId)
        .describe()
        .then(async (described) => ({
          type: described.type,
          staticSummary: await described.staticSummary(),
        }));
      return [type, staticSummary] as const;
    }),
  );
  const { number } = order!;
  expect(Object.fromEntries(summaries)).toMatchObject({
    checkout: expect.stringMatching(new RegExp(`^${number} · [A-Z_]+ · checkout$`)) as string,
    fulfilment: expect.stringMatching(
      new RegExp(`^${number} · [\\d.]+ USD( · [A-Z_]+)? · fulfilment$`),
    ) as string,
    paymentRefund: `${number} · 10.00 USD · money back`,
    refundRequest: `${number} · refund request`,
  });
});

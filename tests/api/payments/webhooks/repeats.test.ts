import { v7 } from 'uuid';
import { eventually } from '../../../support/checks/eventually';
import { ownPaymentServer } from '../payment-server';
import { coming, current, report, sendingTo } from './sending';

const server = ownPaymentServer([current, coming]);
const { send, storedAs, started } = sendingTo(server);

describe('the same report again', () => {
  test('is answered 200 DUPLICATE with the first one’s id', async () => {
    const id = v7();
    const first = await send({ id });
    const again = await send({ id });
    expect(again.status).toBe(200);
    expect(again.body.data).toEqual({ eventId: first.body.data.eventId, status: 'DUPLICATE' });
  });

  test('ten at once are one row and one process', async () => {
    const id = v7();
    const answers = await Promise.all(Array.from({ length: 10 }, () => send({ id })));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(9).fill(200), 202]);
    expect(new Set(answers.map(({ body }) => body.data.eventId)).size).toBe(1);
    expect(await storedAs(id)).toHaveLength(1);
    await started(id);
    const runs = server.temporal.workflow.list({ query: `WorkflowId = 'webhook:sandbox:${id}'` });
    await eventually(async () => {
      const found = [];
      for await (const run of runs) found.push(run.runId);
      expect(found).toHaveLength(1);
    });
  });

  test('with another body changes nothing, says DUPLICATE, and raises an alert', async () => {
    const id = v7();
    await send({ id });
    await send({ id, body: '{"type":"payment.declined"}' }).expect(200);
    expect(await storedAs(id)).toMatchObject([{ type: 'payment.paid', body: JSON.stringify(report) }]);
    expect(server.logged).toContainEqual(
      expect.objectContaining({ alert: 'WEBHOOK_ID_REUSED', externalEventId: id }),
    );
  });
});

test('while Temporal is away a report is stored and answered 202 at once; its repeat starts it afterwards', async () => {
  const id = v7();
  const waits = { msg: 'a webhook waits for the sweep' };
  await server.withoutTemporal(async (logged) => {
    await send({ id }).expect(202);
    expect(logged).not.toContainEqual(expect.objectContaining(waits)); // The answer came while it still tried.
    await eventually(() => expect(logged).toContainEqual(expect.objectContaining(waits)));
  });
  expect(await storedAs(id)).toMatchObject([{ status: 'RECEIVED', startedAt: null }]);
  await send({ id }).expect(200);
  await started(id);
});

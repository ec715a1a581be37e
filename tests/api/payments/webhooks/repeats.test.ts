import { v7 } from 'uuid';
import { execute } from '../../../../db/sql/query';
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

describe('a report that was IGNORED', () => {
  const unknown = JSON.stringify({ ...report, type: 'payment.of_tomorrow' });

  /** A report whose type nobody knew when it came, and whose text was deleted since. */
  const ignored = async () => {
    const id = v7();
    const { eventId } = (await send({ id, body: unknown }).expect(202)).body.data;
    await execute(server.db, 'UPDATE webhook_events SET body = NULL WHERE id = $1', [eventId]);
    expect(await storedAs(id)).toMatchObject([{ status: 'IGNORED' }]);
    return { id, eventId };
  };

  test('is taken as new, under its id, when it comes again and its type is known now', async () => {
    const { id, eventId } = await ignored();
    const again = await send({ id }).expect(202);
    expect(again.body.data).toEqual({ eventId, status: 'ACCEPTED' });
    await started(id);
    expect(await storedAs(id)).toMatchObject([
      { id: eventId, type: report.type, body: JSON.stringify(report), status: 'RECEIVED' },
    ]);
    expect((await send({ id }).expect(200)).body.data).toEqual({ eventId, status: 'DUPLICATE' });
  });

  test('is taken once by ten deliveries at once', async () => {
    const { id } = await ignored();
    const answers = await Promise.all(Array.from({ length: 10 }, () => send({ id })));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(9).fill(200), 202]);
    await started(id);
  });

  test('stays as it is when it comes again and its type is still unknown', async () => {
    const { id, eventId } = await ignored();
    const again = await send({ id, body: unknown }).expect(200);
    expect(again.body.data).toEqual({ eventId, status: 'DUPLICATE' });
    expect(await storedAs(id)).toMatchObject([{ status: 'IGNORED', body: null }]);
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

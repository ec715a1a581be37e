import { reconcileSchedules, schedules, SCHEDULES_VERSION } from '../../workers/schedules';
import { eventually } from '../support/checks/eventually';
import { connectTemporal, type TestTemporal } from '../support/servers/temporal';

let temporal: TestTemporal;
beforeAll(async () => {
  temporal = await connectTemporal();
});
afterAll(() => temporal.close());

it('brings the server in line with the table at every start of a worker', async () => {
  await Promise.all([reconcileSchedules(temporal.client), reconcileSchedules(temporal.client)]);
  await reconcileSchedules(temporal.client);
  await eventually(async () => {
    const found: string[] = [];
    for await (const { scheduleId } of temporal.client.schedule.list()) found.push(scheduleId);
    expect(found.sort()).toEqual(schedules.map(({ id }) => id).sort());
  });
  for (const { id, process } of schedules) {
    const { action, spec, policies } = await temporal.client.schedule.getHandle(id).describe();
    expect(action).toMatchObject({ workflowType: process.type, taskQueue: process.queue });
    expect([...(spec.calendars ?? []), ...(spec.intervals ?? [])]).not.toEqual([]);
    expect(policies.overlap).toBe('SKIP');
  }
});

it('keeps a schedule paused that an operator paused', async () => {
  await reconcileSchedules(temporal.client);
  const handle = temporal.client.schedule.getHandle('webhook-sweep');
  await handle.pause('looking into it');
  await reconcileSchedules(temporal.client);
  expect((await handle.describe()).state).toMatchObject({ paused: true, note: 'looking into it' });
});

it('sweeps every minute and runs the rest at night (UTC)', async () => {
  await reconcileSchedules(temporal.client);
  const next = async (id: string): Promise<Date | undefined> =>
    (await temporal.client.schedule.getHandle(id).describe()).info.nextActionTimes[0];
  const minutes = ((await next('webhook-sweep'))!.getTime() - Date.now()) / 60_000;
  expect(minutes).toBeLessThanOrEqual(1);
  expect((await next('ledger-reconciliation'))?.toISOString()).toMatch(/T03:00:00.000Z$/);
  expect((await next('catalogue-popularity'))?.toISOString()).toMatch(/T00:30:00.000Z$/);
});

it('keeps the schedules of a newer worker: an older one restores nothing', async () => {
  const [moved, removed, ...rest] = schedules;
  const later = { ...moved!, spec: { intervals: [{ every: '5 minutes' as const }] } };
  await reconcileSchedules(temporal.client);
  const newer = { version: SCHEDULES_VERSION + 1, schedules: [later, ...rest] };
  await eventually(async () => {
    expect(await reconcileSchedules(temporal.client, newer)).toBe('done');
    await expect(temporal.client.schedule.getHandle(removed!.id).describe()).rejects.toThrow('not found');
  });

  expect(await reconcileSchedules(temporal.client)).toBe('newer');
  await expect(temporal.client.schedule.getHandle(removed!.id).describe()).rejects.toThrow('not found');
  const { spec } = await temporal.client.schedule.getHandle(moved!.id).describe();
  expect(spec.intervals).toMatchObject([{ every: 300_000 }]);
});

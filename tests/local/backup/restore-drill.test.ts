import type { Client } from '@temporalio/client';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { payoutsAreStopped } from '../../../db/commerce/reconciliation/payouts-stopped.reads';
import { policyFrom } from '../../../db/policy/config';
import { execute, rows } from '../../../db/sql/query';
import { payoutProcess } from '../../../workflows/commerce/payout/payout.contract';
import { participationProcess } from '../../../workflows/investment/participation/participation.contract';
import { checkProcesses } from '../../../workers/checks/check-processes';
import { applicant, type Applicant } from '../../api/users/kyc/applicant';
import { make } from '../../support/builders/make';
import { orderRow, press } from '../../support/builders/sandbox';
import { shopper } from '../../support/builders/shop';
import { signIn } from '../../support/builders/sign-in';
import { eventually } from '../../support/checks/eventually';
import { Machine, type LaunchedWorld } from '../../support/worlds/launched-world';
import type { World } from '../../support/worlds/world';
import { noGrace } from '../../workers/violations';
import { useScratch } from '../scratch';
import { buying, BUYERS } from './buying';
import { providerMemory, remember } from './provider-memory';
import { StoppedSteps } from './stopped-steps';
import { arrives, processPayout, startWork, statesOf, timesSent } from './under-way';

let first: Machine;
let second: Machine;
let running: LaunchedWorld | undefined;
let steps: StoppedSteps | undefined;
// Before the folder is removed.
afterAll(async () => {
  await steps?.goOn();
  await running?.stop();
});

const scratch = useScratch();
const dirOf = (name: string) => path.join(scratch(), name);
beforeAll(async () => {
  [first, second] = [await Machine.at(dirOf('one')), await Machine.at(dirOf('two'))];
});

/** The parts of a world that builders use. */
const worldOf = ({ db, http }: LaunchedWorld) => ({ db, http }) as unknown as World;

/** Uploads a passport; answers how the case is called. */
async function uploads(me: Applicant): Promise<string> {
  const { id } = (await me.start()).body.data as { id: string };
  expect((await me.upload('PASSPORT')).status).toBe(201);
  return id;
}

/** The first document of a case as a reviewer opens it. */
async function opened(world: World, kycId: string) {
  const token = await signIn(world, await make.admin(world.db));
  const detail = await world.http.get(`/api/v1/admin/kyc/${kycId}`).auth(token, { type: 'bearer' });
  const { fileUrl } = detail.body.data.documents[0] as { fileUrl: string };
  return world.http.get(new URL(fileUrl).pathname).auth(token, { type: 'bearer' });
}

/** Deletes a process with its history, as if Temporal's store had lost it. */
async function deleteProcess({ workflowService, options }: Client, workflowId: string): Promise<void> {
  const { namespace } = options;
  await workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId } });
}

const statusOf = async ({ workflow }: Client, workflowId: string): Promise<string> =>
  workflow
    .getHandle(workflowId)
    .describe()
    .then(
      ({ status }) => status.name,
      () => 'none',
    );

/** The states from which all of it goes on, on both machines. */
const AT_THE_COPY = {
  ...{ sent: 'PROCESSING', arriving: 'PROCESSING', approved: 'APPROVED', refund: 'PROCESSING, asked' },
  ...{ paid: 'PAID', reported: 'PENDING_PAYMENT', event: 'RECEIVED' },
  ...{ participation: 'ACTIVE', commission: 'PENDING' },
};

test('a backup under load, restored elsewhere: nothing is lost, all that was under way ends once, documents open', async () => {
  running = await first.start();
  const world = worldOf(running);
  const product = await make.product(world.db, { stock: 100_000 });
  const kycId = await uploads(await applicant(world));
  steps = new StoppedSteps(world, product.id);
  const work = await startWork(world, steps);
  const load = buying(world, product.id);
  await eventually(() => expect(load.placed.filter(({ paid }) => paid).length).toBeGreaterThan(BUYERS));

  // Those that are being paid may be either in the backup.
  const known = load.placed.length;
  const before = load.placed.flatMap(({ order, paid }) => (paid === null ? [] : [{ order, paid }]));
  const folder = dirOf('backup');
  expect(await statesOf(world.db, work)).toEqual(AT_THE_COPY);
  expect(await first.command('local/backup/backup.js', [folder])).toMatchObject({
    code: 0,
    output: expect.stringContaining('The keys are not in it'),
  });
  expect(await statesOf(world.db, work)).toEqual(AT_THE_COPY);
  const during = load.placed.length - known;
  await load.stop();
  expect(load.refused).toEqual([]);
  expect(during).toBeGreaterThan(0);

  // The machine goes on after the copy, and is lost then; its provider remembers.
  await steps.goOn();
  await arrives(world, work.payouts.arriving);
  expect((await processPayout(world, work.payouts.approved)).body).toMatchObject({
    data: { status: 'COMPLETED' },
  });
  await eventually(async () =>
    expect(await statesOf(world.db, work)).toMatchObject({
      ...{ arriving: 'COMPLETED', refund: 'COMPLETED, asked', paid: 'PROCESSING', reported: 'PROCESSING' },
    }),
  );
  const memory = await providerMemory(world.db);
  await running.stop();

  // Only its owner may read any of it.
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    expect((await stat(path.join(entry.parentPath, entry.name))).mode & 0o077).toBe(0);

  expect(await second.command('local/backup/restore.js', [folder])).toMatchObject({ code: 0 });
  running = await second.start();
  const restored = worldOf(running);
  const { temporal, db } = running;
  await remember(db, memory);
  expect(await payoutsAreStopped(db, policyFrom({}))).toBe(true);
  expect(await statesOf(db, work)).toMatchObject({ sent: 'PROCESSING', arriving: 'PROCESSING' });

  // A process that Temporal's store has lost is started again by the sweep, which skips what is new.
  const arriving = payoutProcess.id({ payoutId: work.payouts.arriving });
  expect(await statusOf(temporal, arriving)).toBe('RUNNING');
  await deleteProcess(temporal, arriving);
  await eventually(async () => expect(await statusOf(temporal, arriving)).toBe('none'));
  await execute(db, `UPDATE payouts SET processed_at = processed_at - interval '1 hour' WHERE id = $1`, [
    work.payouts.arriving,
  ]);
  await temporal.schedule.getHandle('investment-sweep').trigger();
  await eventually(async () => expect(await statusOf(temporal, arriving)).toBe('COMPLETED'));

  for (const { order, paid } of before)
    await eventually(async () => {
      const { status } = await orderRow(restored, order.orderId);
      expect([order.orderNumber, status]).toEqual([
        order.orderNumber,
        paid ? 'PROCESSING' : 'PENDING_PAYMENT',
      ]);
    });
  // The process of an order that waited for its money hears of it on the new machine.
  const unpaid = before.find(({ paid }) => !paid)!;
  await press(restored, unpaid.order.payment.paymentUrl!, 'pay');
  await eventually(async () =>
    expect((await orderRow(restored, unpaid.order.orderId)).status).toBe('PROCESSING'),
  );
  expect(await opened(restored, kycId)).toMatchObject({ status: 200, type: 'image/jpeg' });
  // A new order takes its way, too.
  const { orderId, orderNumber, payment } = await (
    await shopper(restored, [{ productId: product.id }])
  ).order();
  // Its number is none that a buyer was told after the copy.
  expect(load.placed.map(({ order }) => order.orderNumber)).not.toContain(orderNumber);
  await press(restored, payment.paymentUrl!, 'pay');
  await eventually(async () => expect((await orderRow(restored, orderId)).status).toBe('PROCESSING'));

  // Before a person releases it, what the provider knows is found, and nothing new is sent.
  expect((await processPayout(restored, work.payouts.approved)).body).toMatchObject({
    error: { code: 'FORBIDDEN', reason: 'PAYOUTS_STOPPED' },
  });
  await eventually(async () =>
    expect(await statesOf(db, work)).toMatchObject({
      ...{ arriving: 'COMPLETED', approved: 'APPROVED', refund: 'COMPLETED, asked' },
      ...{ paid: 'PROCESSING', reported: 'PROCESSING', event: 'PROCESSED' },
    }),
  );
  expect(
    await second.commandOnRunning('db/administration/restore/restored.js', ['release', 'Ada', 'Compared.']),
  ).toMatchObject({ code: 0, output: expect.stringContaining('Released') });
  expect((await processPayout(restored, work.payouts.approved)).body).toMatchObject({
    data: { status: 'COMPLETED' },
  });
  await arrives(restored, work.payouts.sent);

  // Its process has years to go; its owner does not wait for them.
  const { participationId, owner, commission } = work;
  const participation = participationProcess.id({ participationId });
  expect(await statusOf(temporal, participation)).toBe('RUNNING');
  const withdrawn = await restored.http
    .post(`/api/v1/investment/participations/${participationId}/withdraw`)
    .auth(owner.token, { type: 'bearer' })
    .send({ withdrawalMethod: 'BALANCE', acceptPenalty: true });
  expect(withdrawn.status).toBe(200);
  await eventually(async () => expect(await statusOf(temporal, participation)).toBe('COMPLETED'));
  await eventually(() => expect(Date.now()).toBeGreaterThan(commission.maturesAt.getTime()));
  await temporal.schedule.getHandle('commission-maturation').trigger();

  await eventually(async () =>
    expect(await statesOf(db, work)).toEqual({
      ...{ sent: 'COMPLETED', arriving: 'COMPLETED', approved: 'COMPLETED', refund: 'COMPLETED, asked' },
      ...{ paid: 'PROCESSING', reported: 'PROCESSING', event: 'PROCESSED' },
      ...{ participation: 'WITHDRAWN', commission: 'APPROVED' },
    }),
  );
  expect(await timesSent(db, work)).toEqual({ sent: 1, arriving: 1, approved: 1, refund: 1 });
  expect(await rows(db, 'SELECT workflow_id, last_error FROM parked_processes')).toEqual([]);
  // Once nothing moves, every open row has its process, without the time that the command leaves them. A process that had begun
  // and not yet placed its order when the copy was made has none, and ends by itself after ten minutes.
  const unmatchedRows = async () =>
    (await checkProcesses(temporal, db, noGrace)).filter(
      ({ detail }) => !detail.endsWith('still runs: there is no row of it'),
    );
  await eventually(async () => expect(await unmatchedRows()).toEqual([]));
  await eventually(async () => expect(await second.invariants()).toMatchObject({ code: 0 }));
});

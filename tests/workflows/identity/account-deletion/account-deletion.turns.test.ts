import { v7 } from 'uuid';
import {
  accountDeletionProcess,
  cancelDeletion,
  requestDeletion,
} from '../../../../workflows/identity/account-deletion/account-deletion.contract';
import { eventually } from '../../../support/checks/eventually';
import { make } from '../../../support/builders/make';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { patient } from '../../commerce/sales';

let world: SkippingWorld;
/** The number of reads, and a promise that they wait for before they answer. */
let readings = 0;
let held: Promise<void> | undefined;
beforeAll(async () => {
  world = await startSkippingWorld({
    fakes: (real) => ({
      dueDeletion: async (account) => {
        const due = await real.dueDeletion(account);
        readings++;
        await held;
        return due;
      },
    }),
  });
});
afterAll(() => world.teardown());

test('a deletion requested again while its process is about to end is not lost', async () => {
  const { id: userId } = await make.user(world.db);
  const ifClosed = 'SERVICE_UNAVAILABLE' as const;
  const ask = (updateId = v7()) =>
    world.processes.open(accountDeletionProcess, { userId }, requestDeletion, {}, { updateId, ifClosed });
  const process = patient(world).workflow.getHandle(accountDeletionProcess.id({ userId }));
  await ask();
  await eventually(() => expect(readings).toBe(1));
  let letGo: () => void = () => undefined;
  held = new Promise((resolve) => (letGo = resolve));
  await world.processes.ask(process.workflowId, cancelDeletion, {}, { updateId: v7(), ifClosed });
  await eventually(() => expect(readings).toBe(2));
  const again = ask();
  await process.describe(); // Earlier requests have reached the server now.
  letGo();
  held = undefined;
  const { dueAt } = await again;
  await eventually(async () => {
    const { currentDetails } = await process.query<{ currentDetails: string }>(
      '__temporal_workflow_metadata',
    );
    expect(currentDetails).toContain(dueAt);
  });
  expect((await process.describe()).status.name).toBe('RUNNING');
});

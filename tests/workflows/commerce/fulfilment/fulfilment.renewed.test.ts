import { ApplicationFailure } from '@temporalio/common';
import { fulfilmentProcess } from '../../../../workflows/commerce/fulfilment/fulfilment.contract';
import { abandonStep } from '../../../../workflows/kit/parking.contract';
import { given } from '../../../support/builders/given';
import { orderState } from '../../../support/builders/ordering';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { violations } from '../../../support/checks/violations';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { entryOf } from '../../over-a-month';
import { patient } from '../sales';

let world: SkippingWorld;
let isBroken = true;
beforeAll(async () => {
  world = await startSkippingWorld({
    fakes: (real) => ({
      beginProcessing: (order) => {
        if (isBroken) throw ApplicationFailure.nonRetryable('the disk is full', 'DiskFull');
        return real.beginProcessing(order);
      },
    }),
  });
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});

test('an order that an operator has left to people stays so when its process continues as new', async () => {
  const order = await given(world.db).order().paid();
  await world.processes.start(fulfilmentProcess, order);
  const process = patient(world).workflow.getHandle(fulfilmentProcess.id(order));
  const { runId } = await process.describe();
  const waitsFor = (words: string): Promise<void> =>
    eventually(async () => expect((await entryOf(world.db, process))?.reason).toContain(words));
  await waitsFor('begin processing the order');
  await process.executeUpdate(abandonStep, { args: [{ noteId: null }] });
  isBroken = false;

  await world.sleep('15 days');
  await waitsFor('too long');
  await world.sleep('16 days');
  await eventually(async () => expect((await process.describe()).runId).not.toBe(runId));
  await waitsFor('too long');
  expect((await orderState(world.db, order)).order).toBe('PAID PAID');
  await keepHistory(process, 'left-to-people', runId);
});

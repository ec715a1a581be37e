import { retryStep } from '../../../../workflows/kit/parking.contract';
import { make } from '../../../support/builders/make';
import { participationState } from '../../../support/builders/investing/investors';
import { eventually } from '../../../support/checks/eventually';
import { violations } from '../../../support/checks/violations';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { parks } from '../../commerce/refund/refund-processes';
import { overAMonth } from '../../over-a-month';
import { holds } from './participations';

let world: SkippingWorld;
let isAway = true;
beforeAll(async () => {
  world = await startSkippingWorld({
    queues: ['interactive'],
    fakes: (real) => ({
      matureParticipation: (participation) =>
        isAway ? Promise.reject(new Error('The ledger is away.')) : real.matureParticipation(participation),
    }),
  });
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});

test('a maturity that fails for a month waits in a new run; retried then, it is paid once', async () => {
  const { id: strategyId } = await make.strategy(world.db);
  const one = await holds(world, { strategyId });
  await world.sleep('91 days');
  await parks(one.process);
  await overAMonth(world, one.process);
  isAway = false;
  await one.process.executeUpdate(retryStep, { args: [{ noteId: null }] });
  await eventually(async () => expect(await one.process.result()).toBe('MATURED'));
  expect(await participationState(world.db, one.participationId)).toMatchObject({
    transactions: ['DEPOSIT 100000', 'WITHDRAWAL 100000'],
  });
});

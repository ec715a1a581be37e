import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import { violations } from '../../../support/checks/violations';
import { eventually } from '../../../support/checks/eventually';
import { FakeBank } from '../../../support/fakes/fake-bank';
import { keepHistory } from '../../../support/checks/histories';
import { orderSteps } from '../../../support/builders/ordering';
import { refundBook } from '../../../support/builders/refunding';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { approves, asked, detailsOf, parks, senderOf } from './refund-processes';

let world: SkippingWorld;
let bank: FakeBank;
beforeAll(async () => {
  world = await startSkippingWorld({
    fakes: () => ({
      refundProvider: () => Promise.resolve('sandbox'),
      sendRefund: (refund) => orderSteps(world.db, bank).sendRefund(refund),
    }),
  });
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});
beforeEach(() => {
  bank = new FakeBank();
});

test('a provider that refuses: it waits for a person, is tried again, and arrives', async () => {
  bank.mood = 'refuses';
  const one = await asked(world, bank);
  const sender = senderOf(world, await approves(world, one));
  await parks(sender);
  expect(await detailsOf(one.process)).toBe('Approved; the money is on its way back through its provider.');
  bank.mood = 'answers';
  await sender.executeUpdate(retryStep, { args: [{ noteId: null }] });
  expect(await one.process.result()).toBe('COMPLETED');
  await keepHistory(sender, 'asked-for-then-retried');
});

test('given up by an operator, the request has failed, and the money stays owed', async () => {
  bank.mood = 'refuses';
  const one = await asked(world, bank);
  const sender = senderOf(world, await approves(world, one));
  await parks(sender);
  await sender.executeUpdate(abandonStep, { args: [{ noteId: null }] });
  expect(await one.process.result()).toBe('FAILED');
  expect(await refundBook(world.db, one)).toMatchObject({
    request: 'FAILED',
    order: 'DELIVERED PAID',
    left: 0,
  });
  await keepHistory(one.process, 'failed');
  await keepHistory(sender, 'asked-for-then-abandoned');
});

test('a provider whose answer was lost is looked up, and does not send it twice', async () => {
  bank.mood = 'loses the answer';
  const one = await asked(world, bank);
  await approves(world, one);
  await eventually(() => expect(bank.requests).toEqual(['refund']));
  await world.sleep('2 seconds');
  bank.mood = 'answers';
  await world.sleep('5 seconds');
  expect(await one.process.result()).toBe('COMPLETED');
  expect(bank.sent).toHaveLength(1);
});

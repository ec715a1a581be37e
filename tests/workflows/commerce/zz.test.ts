import { startSkippingWorld, type SkippingWorld } from '../../support/skipping-world';
import { cancel, placed, report } from './story';
let world: SkippingWorld;
beforeEach(async () => { world = await startSkippingWorld(); });
afterEach(() => world.teardown());
test('event for closed checkout', async () => {
  const sold = await placed(world);
  await cancel(world, sold);
  await sold.checkout.result();
  await (await report(world, 'DECLINED', sold)).result();
  await world.sleep('1 minute');
}, 10000);
test('paid', async () => {
  const sold = await placed(world);
  await (await report(world, 'PAID', sold)).result();
  await sold.checkout.result();
  await world.sleep('1 minute');
}, 10000);
test('late money', async () => {
  const sold = await placed(world);
  await cancel(world, sold);
  await sold.checkout.result();
  await (await report(world, 'PAID', sold)).result();
  await world.sleep('1 minute');
}, 10000);

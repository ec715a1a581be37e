import { invested, investmentState } from '../../support/builders/investing/invested';
import { press } from '../../support/builders/sandbox';
import { eventually } from '../../support/checks/eventually';
import type { World } from '../../support/worlds/world';

export async function paidLate(world: World): Promise<string> {
  const { id, paymentUrl } = await invested(world.db, { publicUrl: world.url });
  await press(world, paymentUrl!, 'pay-late');
  await eventually(async () =>
    expect((await investmentState(world.db, id)).participation).toBe('CANCELLED REFUNDED'),
  );
  return id;
}

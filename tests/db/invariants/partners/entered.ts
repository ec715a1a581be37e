import { firstRow } from '../../../../db/sql/query';
import { joiner, membershipState } from '../../../support/builders/partnering/joining';
import { press, type SandboxButton } from '../../../support/builders/sandbox';
import { eventually } from '../../../support/checks/eventually';
import type { World } from '../../../support/worlds/world';

/** Entrance fees of people who joined the partner programme, by their ids. */
export interface Entrances {
  /** By card; the user is a partner. */
  paid: string;
  /** Expired, then the money came, then it went back. */
  late: string;
}

export const entered = async (world: World): Promise<Entrances> => ({
  paid: await enteredBy(world, 'pay', 'PAID PAID'),
  late: await enteredBy(world, 'pay-late', 'CANCELLED REFUNDED'),
});

async function enteredBy(world: World, button: SandboxButton, state: string): Promise<string> {
  const ada = await joiner(world);
  const { body } = await ada.join({ paymentMethod: 'CARD' });
  await press(world, body.data.payment.paymentUrl as string, button);
  await eventually(async () => expect((await membershipState(world.db, ada.id)).entrances).toEqual([state]));
  const row = await firstRow<{ id: string }>(
    world.db,
    'SELECT id FROM partner_entrances WHERE user_id = $1',
    [ada.id],
  );
  return row!.id;
}

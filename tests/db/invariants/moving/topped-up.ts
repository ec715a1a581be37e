import { press, type SandboxButton } from '../../../support/builders/sandbox';
import { reportChargeback } from '../../../support/builders/chargebacks';
import { v7 } from 'uuid';
import { CARD } from '../../../support/builders/investing/withdrawing';
import { make } from '../../../support/builders/make';
import { saveDetails } from '../../../support/builders/paying-out/payees';
import { payer, TOP_UP_MINOR, topUpState, type Payer } from '../../../support/builders/wallets/top-ups';
import { eventually } from '../../../support/checks/eventually';
import type { World } from '../../../support/worlds/world';

/** Top-ups of wallets, by their ids. */
export interface TopUps {
  /** By card; the money is in the wallet. */
  paid: string;
  /** The same; a bank took it back from the wallet. */
  takenBack: string;
  /** The same; a withdrawal had held the money, and ended. */
  withdrawn: string;
  /** The withdrawal that ended, and one of the same user that was requested since. */
  withdrawalId: string;
  laterId: string;
  /** Waits for its payment. */
  open: string;
  /** Expired, then the money came, then it went back. */
  late: string;
}

export async function toppedUp(world: World): Promise<TopUps> {
  const takenBack = await toppedUpBy(world, 'pay', 'PAID PAID');
  const withdrawn = await takenBackFromWithdrawal(world);
  await reportChargeback(world, { topUpId: takenBack }, 'payment.charged_back', v7());
  const { body } = await (await payer(world)).topUp({ paymentMethod: 'BANK_TRANSFER' });
  return {
    takenBack,
    ...withdrawn,
    open: body.data.topUpId as string,
    paid: await toppedUpBy(world, 'pay', 'PAID PAID'),
    late: await toppedUpBy(world, 'pay-late', 'CANCELLED REFUNDED'),
  };
}

/** A top-up that a bank takes back while a withdrawal holds its money. */
async function takenBackFromWithdrawal(
  world: World,
): Promise<Pick<TopUps, 'withdrawn' | 'withdrawalId' | 'laterId'>> {
  const ada = await payer(world, { kycLevel: 'STANDARD' });
  await saveDetails(world.db, ada.id, CARD);
  const withdrawn = await toppedUpBy(world, 'pay', 'PAID PAID', ada);
  const withdraws = async (): Promise<string> => {
    const { body } = await world.http
      .post('/api/v1/users/me/balance/withdraw')
      .auth(ada.token, { type: 'bearer' })
      .send({ amount: TOP_UP_MINOR / 100 });
    return body.data.withdrawalId as string;
  };
  const withdrawalId = await withdraws();
  await reportChargeback(world, { topUpId: withdrawn }, 'payment.charged_back', v7());
  await make.money(world.db, ada.id, TOP_UP_MINOR);
  return { withdrawn, withdrawalId, laterId: await withdraws() };
}

async function toppedUpBy(world: World, button: SandboxButton, state: string, by?: Payer): Promise<string> {
  const ada = by ?? (await payer(world));
  const { body } = await ada.topUp();
  await press(world, body.data.payment.paymentUrl as string, button);
  await eventually(async () => expect((await topUpState(world.db, ada.id)).topUps).toEqual([state]));
  return body.data.topUpId as string;
}

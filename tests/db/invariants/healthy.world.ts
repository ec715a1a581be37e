import { chargedBack } from '../../support/builders/chargebacks';
import { moves } from '../../support/builders/delivering';
import { eventually } from '../../support/checks/eventually';
import { make } from '../../support/builders/make';
import { orderRow, press, type SandboxButton } from '../../support/builders/sandbox';
import { shopper, type Shopper } from '../../support/builders/shop';
import { signIn } from '../../support/builders/sign-in';
import { startWorld, type World } from '../../support/worlds/world';
import { givenBack, type GivenBackOrders } from './given-back';
import { reconciled } from './reconciled';
import { reviewed } from './reviewed';
import { paidLate } from './paid-late';
import { participating, type Participations } from './participating';
import { paidOut, type PaidOut } from './moving/paid-out';
import { programmeIn, type Programme } from './partners/programme';
import { everythingIsQuiet } from './quiet';
import { providerPaid, type ProviderPaid } from './moving/provider-paid';
import { toppedUp, type TopUps } from './moving/topped-up';
import { withdrawn, type Withdrawals } from './withdrawn';

/** An order of every kind, by the id it has. */
export interface Orders extends GivenBackOrders {
  /** By card, with a coupon and a share of partner balance; PROCESSING. */
  paid: string;
  byBalance: string;
  /** By transfer, confirmed by an administrator. */
  byTransfer: string;
  /** Waits for payment, with a coupon and a share of partner balance. */
  unpaid: string;
  declined: string;
  /** The same as `unpaid`, cancelled. */
  givenUp: string;
  /** Paid by card, cancelled, refunded. */
  returned: string;
  /** Paid by balance, cancelled. */
  returnedToBalance: string;
  /** Expired, then the money came, then it went back. */
  late: string;
  /** Paid twice; the second money went back. */
  twice: string;
  /** Paid by card; a bank took the money back. */
  chargedBack: string;
  /** The same, and it came back to us. */
  wonBack: string;
  /** Paid by balance; the parcel is on its way. */
  shipped: string;
  /** The same, arrived. */
  delivered: string;
}

export interface HealthyWorld extends Programme {
  world: World;
  orders: Orders;
  /** A participation that expired; then the money came, and went back. */
  lateParticipation: string;
  couponCode: string;
  withdrawals: Withdrawals;
  payouts: PaidOut;
  participations: Participations;
  topUps: TopUps;
  providerPayment: ProviderPaid;
}

type OrderOptions = Parameters<Shopper['order']>[0];

/** A world in which joining the partner programme costs money; stop it also if `becomeHealthy` fails. */
export const startShop = (): Promise<World> => startWorld({ variables: { PARTNER_ENTRANCE_FEE: '49.90' } });

/** Lets everything happen in a shop that may happen, and come right. Nobody works in it any more. */
export async function becomeHealthy(world: World): Promise<HealthyWorld> {
  await make.taxRate(world.db, 'DE', 1_900);
  const { code: couponCode } = await make.coupon(world.db, { usageLimit: 50, perUserLimit: 5 });
  const withAll = { couponCodes: [couponCode], usePartnerBalance: true };
  const orders: Orders = {
    paid: await paidBy(world, 'pay', withAll),
    byBalance: await byBalance(world),
    byTransfer: await byTransfer(world),
    unpaid: (await ordered(world, withAll)).orderId,
    declined: await declined(world),
    givenUp: await givenUp(world, withAll),
    returned: await returned(world),
    returnedToBalance: await returnedToBalance(world),
    late: await paidBy(world, 'pay-late', {}, 'CANCELLED REFUNDED'),
    twice: await paidBy(world, 'pay-twice'),
    chargedBack: await chargedBack(world, await paidBy(world, 'pay'), { returned: false }),
    wonBack: await chargedBack(world, await paidBy(world, 'pay'), { returned: true }),
    shipped: await sent(world, 'SHIPPED'),
    delivered: await sent(world, 'SHIPPED', 'DELIVERED'),
    ...(await givenBack(world, (options) => ordered(world, options))),
  };
  const lateParticipation = await paidLate(world);
  const bought = await ordered(world, { paymentMethod: 'BALANCE' });
  await becomes(world, bought.orderId, 'PROCESSING PAID');
  await reviewed(world, bought);
  await refused(world);
  const money = {
    withdrawals: await withdrawn(world),
    payouts: await paidOut(world),
    participations: await participating(world),
    topUps: await toppedUp(world),
    providerPayment: await providerPaid(world),
  };
  const programme = await programmeIn(world);
  await everythingIsQuiet(world.db);
  await world.rest().then(() => reconciled(world.db));
  return { world, orders, lateParticipation, couponCode, ...money, ...programme };
}

async function ordered(world: World, options: OrderOptions = {}) {
  const product = await make.product(world.db, { stock: 10 });
  const ada = await shopper(world, [{ productId: product.id, quantity: 2 }], {
    kycLevel: 'STANDARD',
    walletMinor: 20_000,
  });
  await make.money(world.db, ada.buyer.id, 1_000, 'partner_available');
  return { ada, ...(await ada.order(options)) };
}

const becomes = (world: World, orderId: string, expected: string): Promise<void> =>
  eventually(async () => {
    const { status, paymentStatus } = await orderRow(world, orderId);
    expect(`${status} ${paymentStatus}`).toBe(expected);
  });

async function paidBy(
  world: World,
  button: SandboxButton,
  options: OrderOptions = {},
  ends = 'PROCESSING PAID',
): Promise<string> {
  const { orderId, payment } = await ordered(world, options);
  await press(world, payment.paymentUrl!, button);
  await becomes(world, orderId, ends);
  return orderId;
}

async function byBalance(world: World): Promise<string> {
  const { orderId } = await ordered(world, { paymentMethod: 'BALANCE' });
  await becomes(world, orderId, 'PROCESSING PAID');
  return orderId;
}

async function sent(world: World, ...steps: ('SHIPPED' | 'DELIVERED')[]): Promise<string> {
  const orderId = await byBalance(world);
  await moves(world, orderId, ...steps);
  return orderId;
}

async function byTransfer(world: World): Promise<string> {
  const { orderId, payment } = await ordered(world, { paymentMethod: 'BANK_TRANSFER' });
  const token = await signIn(world, await make.admin(world.db));
  const confirmed = await world.http
    .post(`/api/v1/admin/orders/${orderId}/payment`)
    .auth(token, { type: 'bearer' })
    .send({ amount: payment.amount, transactionId: 'BANK-1' });
  expect(confirmed.status).toBe(200);
  await becomes(world, orderId, 'PROCESSING PAID');
  return orderId;
}

async function declined(world: World): Promise<string> {
  const { orderId, payment } = await ordered(world);
  await press(world, payment.paymentUrl!, 'decline');
  await becomes(world, orderId, 'PENDING_PAYMENT FAILED');
  return orderId;
}

async function cancel({ ada, orderId }: { ada: Shopper; orderId: string }): Promise<string> {
  const { status } = await ada.post(`/orders/${orderId}/cancel`, { reason: 'Changed my mind' });
  expect(status).toBe(200);
  return orderId;
}

const givenUp = async (world: World, options: OrderOptions): Promise<string> =>
  cancel(await ordered(world, options));

async function returned(world: World): Promise<string> {
  const order = await ordered(world);
  await press(world, order.payment.paymentUrl!, 'pay');
  await becomes(world, order.orderId, 'PROCESSING PAID');
  await cancel(order);
  await becomes(world, order.orderId, 'CANCELLED REFUNDED');
  return order.orderId;
}

async function returnedToBalance(world: World): Promise<string> {
  const order = await ordered(world, { paymentMethod: 'BALANCE' });
  await becomes(world, order.orderId, 'PROCESSING PAID');
  return cancel(order);
}

/** A checkout that was refused; it keeps an answered Idempotency-Key and nothing else. */
async function refused(world: World): Promise<void> {
  const bob = await shopper(world, []);
  const answer = await bob.checkout({}, 'refused');
  expect(answer.body.error.code).toBe('CART_EMPTY');
}

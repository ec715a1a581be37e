import type { Random } from '../random';
import type { Client } from '../requests/client';

interface ToppingUp {
  newcomer: Client;
  random: Random;
}

/** A newcomer pays money into the wallet: at once, late, twice, after a decline, not at all, or cancels it. */
export async function topsUp({ newcomer, random }: ToppingUp): Promise<void> {
  const way = random.pick(['pay', 'pay', 'pay-twice', 'pay-late', 'decline', 'cancel', null] as const);
  const made = await asksToTopUp(newcomer, random);
  if (made === null || way === null) return;
  if (way !== 'cancel') {
    if (made.page !== null) await press(newcomer, made.page, way);
    return;
  }
  const pays = made.page !== null && random.chance(0.5) ? press(newcomer, made.page, 'pay') : undefined;
  const path = `/api/v1/users/me/balance/top-ups/${made.topUpId}/cancel`;
  await newcomer.send({ operation: 'cancelTopUp', method: 'POST', path, body: {}, keyed: true });
  await pays;
}

/** Asks by card or e-wallet; answers the top-up and the page to pay on, if there is one. */
async function asksToTopUp(
  newcomer: Client,
  random: Random,
): Promise<{ topUpId: string; page: string | null } | null> {
  const { answer } = await newcomer.send({
    operation: 'topUp',
    method: 'POST',
    path: '/api/v1/users/me/balance/top-up',
    body: { amount: random.int(10, 500), paymentMethod: random.pick(['CARD', 'EWALLET']) },
    keyed: true,
  });
  const data = answer?.body.data;
  if (typeof data?.['topUpId'] !== 'string') return null;
  const payment = data['payment'];
  const isOpen = typeof payment === 'object' && payment !== null && 'paymentUrl' in payment;
  const page = isOpen && typeof payment.paymentUrl === 'string' ? payment.paymentUrl : null;
  return { topUpId: data['topUpId'], page };
}

async function press(newcomer: Client, page: string, button: string): Promise<void> {
  const { pathname, search } = new URL(page);
  await newcomer.send({ operation: 'press', method: 'POST', path: `${pathname}/${button}${search}` });
}

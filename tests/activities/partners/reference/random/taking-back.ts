import type { Random } from '../../random';
import type { RefChargeback, RefOrder, RefRepayment } from '../facts';
import { MONTHS, type RandomWorld } from '../random-world';

/** Refunds and chargebacks of one order, and who pays the refunds in the end. */
export function randomTakingBack(
  random: Random,
  order: RefOrder,
  index: number,
): Pick<RandomWorld, 'refunds' | 'chargebacks' | 'repayments'> {
  const refunds = randomRefunds(random, order, index);
  const chargebacks = randomChargebacks(random, `order ${index}`, randomCardPart(random, order));
  payRefunds(random, refunds, chargebacks);
  const owedMinor = oweAgain(random, refunds, chargebacks);
  return { refunds, chargebacks, repayments: randomRepayments(random, index, owedMinor) };
}

/** Refunds of one order as they are approved: units of lines, amounts, or the rest, never more than is left. */
function randomRefunds(random: Random, order: RefOrder, index: number): RandomWorld['refunds'] {
  if (random.isBelow(0.4)) return [];
  const refunds: RandomWorld['refunds'] = [];
  const units = order.lines.map(({ goods }) => goods);
  let left = units.reduce((sum, goods) => sum + goods, 0);
  for (let n = random.between(1, 3); n > 0 && left > 0; n--) {
    const isCancellation = random.isBelow(0.3);
    const line = random.upTo(order.lines.length - 1);
    const ofLine = Math.min(units[line]!, left);
    const isOfUnits = !isCancellation && ofLine > 0 && random.isBelow(0.6);
    const goods = isCancellation ? left : isOfUnits ? random.between(1, ofLine) : random.between(1, left);
    const parts = isOfUnits ? [{ line, goods: random.isBelow(0.3) ? ofLine : goods }] : [];
    const month = random.pick(MONTHS);
    // Of each its own, as refunds of one order are looked at by their time.
    const at = new Date(`${month}-2${random.upTo(7)}T12:0${refunds.length}:00Z`);
    refunds.push({ order: index, goods, parts, paidByBank: 0, month, isCancellation, at });
    if (isOfUnits) units[line]! -= goods;
    left -= goods;
    if (isCancellation) break;
  }
  return refunds;
}

/** The part of an order that was paid by card and not from balances, of which alone banks can take anything. */
function randomCardPart(random: Random, { lines, shipping }: RefOrder): number {
  const paid = lines.reduce((all, { goods }) => all + goods, shipping);
  return random.isBelow(0.5) ? paid : random.between(1, paid);
}

/** Lets lost chargebacks of an order pay some of its refunds, which may be of the shipping too. */
function payRefunds(
  random: Random,
  refunds: readonly { goods: number; paidByBank: number }[],
  chargebacks: readonly RefChargeback[],
): void {
  let left = chargebacks.reduce((all, { minor }) => all + minor, 0);
  for (const refund of refunds) {
    if (random.isBelow(0.4)) continue;
    refund.paidByBank = random.isBelow(0.5) ? Math.min(left, refund.goods) : random.upTo(left);
    left -= refund.paidByBank;
  }
}

/** Chargebacks of the money that was paid for something, never more than that at once. */
export function randomChargebacks(random: Random, of: string, paid: number): RandomWorld['chargebacks'] {
  if (random.isBelow(0.6)) return [];
  const chargebacks: RandomWorld['chargebacks'] = [];
  let left = paid;
  for (let n = random.between(1, 2); n > 0 && left > 0; n--) {
    const minor = random.isBelow(0.5) ? left : random.between(1, left);
    const [month, returnedMonth] = [random.pick(MONTHS), random.pick(MONTHS)];
    chargebacks.push({ of, minor, month, returnedMonth, isReturned: random.isBelow(0.5), owedAgain: 0 });
    left -= minor;
  }
  return chargebacks;
}

/** Lets returned chargebacks of an order make some of what they had paid of its refunds owed again. Answers the sum. */
function oweAgain(
  random: Random,
  refunds: readonly { paidByBank: number }[],
  chargebacks: readonly (RefChargeback & { isReturned: boolean })[],
): number {
  const paid = refunds.reduce((all, { paidByBank }) => all + paidByBank, 0);
  let left = paid;
  for (const chargeback of chargebacks.filter(({ isReturned }) => isReturned)) {
    const most = Math.min(left, chargeback.minor);
    chargeback.owedAgain = random.isBelow(0.6) ? most : random.upTo(most);
    left -= chargeback.owedAgain;
  }
  return paid - left;
}

/** Lets lost chargebacks pay some of the money that is owed again, in one part or two. */
function randomRepayments(random: Random, order: number, owedMinor: number): RefRepayment[] {
  if (owedMinor === 0 || random.isBelow(0.4)) return [];
  const minor = random.between(1, owedMinor);
  const first = random.between(1, minor);
  return [first, minor - first]
    .filter((part) => part > 0)
    .map((part) => ({ order, minor: part, month: random.pick(MONTHS) }));
}

import type { Random } from '../random';
import { rational } from './rational';
import type { RefChargeback, RefOrder, RefPartner, RefRefund } from './facts';

export interface Investment {
  buyer: number;
  /** The next term of a matured one. */
  isNextTerm: boolean;
  amount: number;
  commissionBp: number;
  pointsBp: number;
}

/** Something that happens in a world. Statuses change and commissions move between the events. */
export type Step =
  | {
      kind: 'order' | 'investment' | 'profit' | 'entrance' | 'refund' | 'lost' | 'returned' | 'joined';
      index: number;
    }
  | { kind: 'status'; partner: number; isActive: boolean }
  | { kind: 'settle'; pick: number; to: 'APPROVED' | 'HELD' | 'PAID' };

export interface RandomWorld {
  partners: RefPartner[];
  /** The partner that has referred each buyer. */
  buyers: (number | null)[];
  orders: (RefOrder & { rates: { commissionBp: number; pointsBp: number }[]; paidAtTime: Date })[];
  investments: Investment[];
  profits: { buyer: number; amount: number }[];
  entrances: { partner: number; amount: number }[];
  refunds: (RefRefund & { isCancellation: boolean; at: Date })[];
  /** `isReturned`: after it was lost. */
  chargebacks: (RefChargeback & { isReturned: boolean })[];
  steps: Step[];
}

/** The months in which everything happens; investments are of the first. */
export const MONTHS = ['2026-01', '2026-02', '2026-03'];
const RATES = [0, 1, 333, 1_000, 2_500, 10_000];
const AMOUNTS = [1, 2, 99, 1_001, 50_00, 123_45, 5_000_00, 77_777_77, 300_000_00];

const list = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index));

export function randomWorld(random: Random): RandomWorld {
  const partners = list(random.between(2, 14), (index): RefPartner => ({
    parent:
      index === 0 || random.isBelow(0.08) ? null : random.isBelow(0.5) ? index - 1 : random.upTo(index - 1),
    isActive: random.isBelow(0.85),
    rank: random.isBelow(0.4) ? random.between(1, 5) : 1,
    limit: null,
  }));
  for (const partner of partners)
    if (random.isBelow(0.15)) partner.limit = Math.min(5, partner.rank + random.upTo(1));
  const buyers = list(random.between(1, 4), () =>
    random.isBelow(0.05) ? null : random.upTo(partners.length - 1),
  );
  const orders = list(random.between(1, 5), (index) => randomOrder(random, buyers, index));
  const investments = list(random.upTo(2), () => ({
    buyer: random.upTo(buyers.length - 1),
    isNextTerm: random.isBelow(0.3),
    amount: random.pick(AMOUNTS),
    commissionBp: random.pick(RATES),
    pointsBp: random.pick(RATES),
  }));
  const profits = list(random.upTo(2), () => ({
    buyer: random.upTo(buyers.length - 1),
    amount: random.pick(AMOUNTS),
  }));
  const entrances = list(random.upTo(1), () => ({
    partner: random.upTo(partners.length - 1),
    amount: random.pick(AMOUNTS),
  }));
  const refunds = orders.flatMap((order, index) => randomRefunds(random, order, index));
  const chargebacks = [
    ...orders.flatMap((order, index) => {
      const ofOrder = randomChargebacks(random, `order ${index}`, randomCardPart(random, order));
      payRefunds(
        random,
        refunds.filter((refund) => refund.order === index),
        ofOrder,
      );
      return ofOrder;
    }),
    ...investments.flatMap(({ amount, isNextTerm }, index) =>
      isNextTerm ? [] : randomChargebacks(random, `deposit ${index}`, amount),
    ),
    ...entrances.flatMap(({ amount }, index) => randomChargebacks(random, `entrance ${index}`, amount)),
  ];
  const world = { partners, buyers, orders, investments, profits, entrances, refunds, chargebacks };
  return { ...world, steps: randomSteps(random, world) };
}

function randomOrder(
  random: Random,
  buyers: readonly (number | null)[],
  index: number,
): RandomWorld['orders'][number] {
  const buyer = random.upTo(buyers.length - 1);
  const month = random.pick(MONTHS);
  const rates = list(random.between(1, 3), () => ({
    commissionBp: random.pick(RATES),
    pointsBp: random.pick(RATES),
  }));
  const paidAtTime = new Date(`${month}-${String(10 + index)}T0${random.upTo(9)}:00:00Z`);
  return {
    ...{ buyer, sponsor: buyers[buyer]!, month, rates, paidAtTime, paidAt: paidAtTime.getTime() },
    shipping: random.isBelow(0.5) ? 0 : random.pick(AMOUNTS),
    lines: rates.map(({ commissionBp, pointsBp }) => ({
      goods: random.pick(AMOUNTS),
      commission: rational(commissionBp, 10_000),
      points: rational(pointsBp, 10_000),
    })),
  };
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
    const at = new Date(`${month}-2${random.upTo(7)}T12:00:00Z`);
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
function randomChargebacks(random: Random, of: string, paid: number): RandomWorld['chargebacks'] {
  if (random.isBelow(0.6)) return [];
  const chargebacks: RandomWorld['chargebacks'] = [];
  let left = paid;
  for (let n = random.between(1, 2); n > 0 && left > 0; n--) {
    const minor = random.isBelow(0.5) ? left : random.between(1, left);
    const [month, returnedMonth] = [random.pick(MONTHS), random.pick(MONTHS)];
    chargebacks.push({ of, minor, month, returnedMonth, isReturned: random.isBelow(0.5) });
    left -= minor;
  }
  return chargebacks;
}

function randomSteps(random: Random, world: Omit<RandomWorld, 'steps'>): Step[] {
  const events = [
    ...world.orders.map((_, index): Step => ({ kind: 'order', index })),
    ...world.investments.map((_, index): Step => ({ kind: 'investment', index })),
    ...world.profits.map((_, index): Step => ({ kind: 'profit', index })),
    ...world.entrances.map((_, index): Step => ({ kind: 'entrance', index })),
    ...world.refunds.map((_, index): Step => ({ kind: 'refund', index })),
    ...world.chargebacks.flatMap(({ isReturned }, index): Step[] => [
      { kind: 'lost', index },
      ...(isReturned ? [{ kind: 'returned', index } as const] : []),
    ]),
    ...world.partners.map((_, index): Step => ({ kind: 'joined', index })),
  ];
  const others = list(random.upTo(6), (): Step =>
    random.isBelow(0.3)
      ? { kind: 'status', partner: random.upTo(world.partners.length - 1), isActive: random.isBelow(0.6) }
      : { kind: 'settle', pick: random.upTo(1_000), to: random.pick(['APPROVED', 'HELD', 'PAID'] as const) },
  );
  return random.shuffled([...events, ...others]);
}

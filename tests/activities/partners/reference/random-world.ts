import type { PartnerStatus } from '../../../../workflows/partners/membership/partner.states';
import type { Random } from '../random';
import { rational } from './rational';
import type { RefChargeback, RefOrder, RefPartner, RefRefund, RefRepayment } from './facts';
import { randomChargebacks, randomTakingBack } from './random/taking-back';

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
      kind:
        'order' | 'investment' | 'profit' | 'entrance' | 'refund' | 'lost' | 'returned' | 'repaid' | 'joined';
      index: number;
    }
  | { kind: 'status'; partner: number; to: PartnerStatus }
  | { kind: 'settle'; pick: number; to: 'APPROVED' | 'HELD' | 'PAID' };

export interface RandomWorld {
  partners: RefPartner[];
  /** The partner that has referred each buyer. */
  buyers: (number | null)[];
  orders: (RefOrder & { rates: { commissionBp: number; pointsBp: number }[]; paidAtTime: Date })[];
  investments: Investment[];
  profits: { buyer: number; amount: number }[];
  entrances: { partner: number; amount: number }[];
  refunds: (RefRefund & { isCancellation: boolean })[];
  /** `isReturned`: after it was lost. */
  chargebacks: (RefChargeback & { isReturned: boolean })[];
  /** Lost chargebacks pay money of refunds that was owed again. */
  repayments: RefRepayment[];
  steps: Step[];
}

/** The months in which everything happens; investments are of the first. */
export const MONTHS = ['2026-01', '2026-02', '2026-03'];
const NOT_ACTIVE = ['SUSPENDED', 'TERMINATED'] as const;
const RATES = [0, 1, 333, 1_000, 2_500, 10_000];
const AMOUNTS = [1, 2, 99, 1_001, 50_00, 123_45, 5_000_00, 77_777_77, 300_000_00];

const list = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index));

export function randomWorld(random: Random): RandomWorld {
  const partners = list(random.between(2, 14), (index): RefPartner => ({
    parent:
      index === 0 || random.isBelow(0.08) ? null : random.isBelow(0.5) ? index - 1 : random.upTo(index - 1),
    status: random.isBelow(0.85) ? 'ACTIVE' : random.pick(NOT_ACTIVE),
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
  const ofOrders = orders.map((order, index) => randomTakingBack(random, order, index));
  const refunds = ofOrders.flatMap((of) => of.refunds);
  const repayments = ofOrders.flatMap((of) => of.repayments);
  const chargebacks = [
    ...ofOrders.flatMap((of) => of.chargebacks),
    ...investments.flatMap(({ amount, isNextTerm }, index) =>
      isNextTerm ? [] : randomChargebacks(random, `deposit ${index}`, amount),
    ),
    ...entrances.flatMap(({ amount }, index) => randomChargebacks(random, `entrance ${index}`, amount)),
  ];
  const world = { partners, buyers, orders, investments, profits, entrances, refunds };
  const drawn = { ...world, chargebacks, repayments };
  return { ...drawn, steps: randomSteps(random, drawn) };
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
    ...world.repayments.map((_, index): Step => ({ kind: 'repaid', index })),
    ...world.partners.map((_, index): Step => ({ kind: 'joined', index })),
  ];
  const others = list(random.upTo(6), (): Step =>
    random.isBelow(0.3)
      ? {
          ...{ kind: 'status', partner: random.upTo(world.partners.length - 1) },
          to: random.isBelow(0.6) ? 'ACTIVE' : random.pick(NOT_ACTIVE),
        }
      : { kind: 'settle', pick: random.upTo(1_000), to: random.pick(['APPROVED', 'HELD', 'PAID'] as const) },
  );
  return withoutReturns(random.shuffled([...events, ...others]), world.partners);
}

/** Without the steps by which a membership that has ended would change. */
function withoutReturns(steps: readonly Step[], partners: readonly RefPartner[]): Step[] {
  const statuses = partners.map(({ status }) => status);
  return steps.filter((step) => {
    if (step.kind !== 'status') return true;
    if (statuses[step.partner] === 'TERMINATED') return false;
    statuses[step.partner] = step.to;
    return true;
  });
}

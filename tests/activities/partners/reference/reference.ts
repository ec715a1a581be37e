import { ReferenceTree } from './tree';
import {
  rankOf,
  type RefCommission,
  type RefOrder,
  type RefPartner,
  type RefRefund,
  type RefSold,
} from './facts';
import { rational, rounded, split, times, total, type Rational } from './rational';

const percent = (part: number): Rational => rational(part, 100);

/** The programme as its text says it: nothing is kept that can be computed again, and every amount is a fraction. */
export class Reference extends ReferenceTree {
  readonly commissions: RefCommission[] = [];
  private readonly left = new Map<number, number[]>();
  private readonly sponsorOf = new Map<number, number | null>();
  private readonly pointsBack = new Map<number, number>();
  private readonly counted = new Set<number>();

  constructor(
    partners: RefPartner[],
    readonly orders: RefOrder[],
  ) {
    super(partners);
  }

  takeOrder(index: number): void {
    if (this.left.has(index)) return;
    const order = this.orders[index]!;
    this.left.set(
      index,
      order.lines.map(({ goods }) => goods),
    );
    const first = this.orders.reduce(
      (best, { buyer, paidAt }, at) =>
        buyer === order.buyer && paidAt < this.orders[best]!.paidAt ? at : best,
      index,
    );
    const pool = total(order.lines.map(({ goods, commission }) => times(rational(goods), commission)));
    const points = rounded(total(order.lines.map((line) => times(rational(line.goods), line.points))));
    const base = order.lines.reduce((sum, { goods }) => sum + goods, 0);
    const direct = first === index ? { type: 1, share: 50 } : { type: 3, share: 30 };
    this.sell(
      order.sponsor,
      { source: `order ${index}`, order: index, base, pool, points, month: order.month },
      direct,
    );
  }

  takeInvestment(
    source: string,
    of: { sponsor: number | null; amount: number; commission: Rational; points: Rational; month: string },
  ): void {
    const amount = rational(of.amount);
    const points = rounded(times(amount, of.points));
    this.sell(
      of.sponsor,
      { source, order: null, base: of.amount, pool: times(amount, of.commission), points, month: of.month },
      { type: 1, share: 50 },
    );
  }

  private sell(referrer: number | null, sale: RefSold, direct: { type: number; share: number }): void {
    const [sponsor] = this.earners(referrer);
    if (sale.order !== null) this.sponsorOf.set(sale.order, sponsor ?? null);
    if (sponsor === undefined) return;
    const of = { source: sale.source, order: sale.order };
    this.earn(
      { ...of, partner: sponsor, type: direct.type, level: 1 },
      times(sale.pool, percent(direct.share)),
    );
    this.share(referrer, { ...of, type: 2 }, sale.pool, (rank) => rankOf(rank).team);
    this.sales.push({
      order: sale.order,
      sponsor,
      baseMinor: sale.base,
      points: sale.points,
      month: sale.month,
    });
    for (const partner of this.above(sponsor)) this.rise(partner);
  }

  takeProfit(source: string, referrer: number | null, amount: number): void {
    const [sponsor] = this.earners(referrer);
    if (sponsor === undefined) return;
    const of = { source, order: null };
    this.earn({ ...of, partner: sponsor, type: 5, level: 1 }, times(rational(amount), percent(5)));
    this.share(referrer, { ...of, type: 6 }, rational(amount), (rank) => rankOf(rank).profit);
  }

  takeEntrance(source: string, partner: number, amount: number): void {
    const earners = this.earners(this.partners[partner]!.parent);
    [20, 7, 3].forEach((share, index) => {
      const one = earners[index];
      if (one !== undefined)
        this.earn(
          { source, order: null, partner: one, type: 0, level: index + 1 },
          times(rational(amount), percent(share)),
        );
    });
  }

  private share(
    referrer: number | null,
    of: { source: string; order: number | null; type: number },
    whole: Rational,
    rateOf: (rank: number) => number,
  ): void {
    const earners = this.earners(referrer);
    earners.forEach((partner, index) => {
      if (index === 0) return;
      const met = Math.max(...earners.slice(0, index).map((one) => rateOf(this.partners[one]!.rank)));
      const own = rateOf(this.partners[partner]!.rank);
      if (own > met) this.earn({ ...of, partner, level: index + 1 }, times(whole, percent(own - met)));
    });
  }

  private earn(of: Omit<RefCommission, 'netMinor' | 'status' | 'back'>, amount: Rational): void {
    const netMinor = rounded(amount);
    if (netMinor > 0) this.commissions.push({ ...of, netMinor, status: 'PENDING', back: [] });
  }

  /** Counts a partner and those above who are not counted; the ranks of all above are looked at. */
  join(partner: number): void {
    if (this.counted.has(partner)) return;
    for (const one of this.above(partner)) this.counted.add(one);
    for (const one of this.above(partner)) this.rise(one);
  }

  private rise(partner: number): void {
    const state = this.partners[partner]!;
    if (!state.isActive) return;
    while (state.rank < 5 && state.rank < (state.limit ?? 5) && this.deserves(partner, state.rank + 1)) {
      state.rank++;
      const paid = this.commissions.some(
        (one) => one.type === 8 && one.partner === partner && one.level === state.rank,
      );
      const of = { partner, type: 8, source: `partner ${partner}`, level: state.rank, order: null };
      if (!paid) this.earn(of, rational(rankOf(state.rank).bonus));
    }
  }

  takeRefund({ order: index, goods, parts, month }: RefRefund): void {
    this.takeOrder(index);
    const { lines } = this.orders[index]!;
    const left = this.left.get(index)!;
    const taken = split(left, goods, parts);
    taken.forEach((amount, line) => (left[line]! -= amount));
    const sponsor = this.sponsorOf.get(index) ?? null;
    if (sponsor === null) return;
    const shareTaken = (rateOf: (line: RefOrder['lines'][number]) => Rational): Rational | null => {
      const whole = total(lines.map((line) => times(rational(line.goods), rateOf(line))));
      const gone = total(lines.map((line, at) => times(rational(line.goods - left[at]!), rateOf(line))));
      return whole.n === 0n ? null : { n: gone.n * whole.d, d: gone.d * whole.n };
    };
    this.takeBackCommissions(
      index,
      shareTaken(({ commission }) => commission),
    );
    const share = shareTaken(({ points }) => points);
    const sold = this.sales.find((sale) => sale.order === index && sale.baseMinor >= 0 && sale.points >= 0)!;
    const before = this.pointsBack.get(index) ?? 0;
    const now = share === null ? 0 : rounded(times(rational(sold.points), share));
    this.pointsBack.set(index, now);
    const base = taken.reduce((sum, amount) => sum + amount, 0);
    this.sales.push({ order: index, sponsor, baseMinor: 0 - base, points: before - now, month });
  }

  private takeBackCommissions(order: number, share: Rational | null): void {
    if (share === null || share.n === 0n) return;
    for (const commission of this.commissions.filter((one) => one.order === order)) {
      if (commission.status === 'REVERSED') continue;
      const before = commission.back.reduce((sum, { netMinor }) => sum + netMinor, 0);
      if (share.n === share.d && commission.back.length === 0 && commission.status !== 'PAID') {
        commission.status = 'REVERSED';
        continue;
      }
      const missing = rounded(times(rational(commission.netMinor), share)) - before;
      const status = commission.status === 'PAID' ? 'APPROVED' : commission.status;
      if (missing > 0) commission.back.push({ netMinor: missing, status });
    }
  }
}

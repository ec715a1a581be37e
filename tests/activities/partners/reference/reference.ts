import { carried, ReferenceTakingBack, sum } from './reference-taking-back';
import {
  rankOf,
  type RefChargeback,
  type RefCommission,
  type RefOrder,
  type RefPartner,
  type RefRefund,
  type RefRepayment,
  type RefSold,
} from './facts';
import { rational, rounded, split, times, type Rational } from './rational';

const percent = (part: number): Rational => rational(part, 100);
/** The programme as its text says it: nothing is kept that can be computed again, and every amount is a fraction. */
export class Reference extends ReferenceTakingBack {
  private readonly sold = new Map<string, RefSold>();
  private readonly counted = new Set<number>();
  /** The chargebacks that were lost at some time. */
  readonly lostOnce = new Set<number>();

  constructor(
    partners: RefPartner[],
    readonly orders: RefOrder[],
    /** The part of every commission that is withheld. */
    private readonly withheld: Rational = rational(0),
  ) {
    super(partners);
  }

  takeOrder(index: number): void {
    const { buyer, paidAt, lines, month, sponsor, shipping } = this.orders[index]!;
    const isFirst = !this.orders.some((one) => one.buyer === buyer && one.paidAt < paidAt);
    const paid = sum(lines.map(({ goods }) => goods)) + shipping;
    this.sell(
      sponsor,
      { source: `order ${index}`, lines, paid, month },
      isFirst ? { type: 1, share: 50 } : { type: 3, share: 30 },
    );
  }

  takeInvestment(
    source: string,
    of: { sponsor: number | null; amount: number; commission: Rational; points: Rational; month: string },
  ): void {
    const { sponsor, amount, month, ...rates } = of;
    const lines = [{ goods: amount, ...rates }];
    this.sell(sponsor, { source, lines, paid: amount, month }, { type: 1, share: 50 });
  }

  private sell(
    referrer: number | null,
    { source, lines, ...of }: Pick<RefSold, 'source' | 'lines' | 'paid' | 'month'>,
    direct: { type: number; share: number },
  ): void {
    if (this.sold.has(source)) return;
    const sponsor = this.earners(referrer)[0] ?? null;
    const goods = lines.map((line) => line.goods);
    const points = rounded(carried(lines, goods, 'points'));
    this.remember({ source, lines, ...of, sponsor, points });
    if (sponsor === null) return;
    const pool = carried(lines, goods, 'commission');
    this.earn({ source, partner: sponsor, type: direct.type, level: 1 }, times(pool, percent(direct.share)));
    this.share(referrer, { source, type: 2 }, pool, (rank) => rankOf(rank).team);
    this.sales.push({ sponsor, baseMinor: sum(goods), points, month: of.month });
    for (const partner of this.above(sponsor)) this.rise(partner);
  }

  private remember(
    of: Omit<RefSold, 'left' | 'lost' | 'refunds' | 'refundsPaid' | 'shareBack' | 'baseBack' | 'pointsBack'>,
  ): void {
    const left = of.lines.map(({ goods }) => goods);
    const nothing = { refunds: [], refundsPaid: 0, shareBack: rational(0), baseBack: 0, pointsBack: 0 };
    this.sold.set(of.source, { ...of, left, lost: new Map(), ...nothing });
  }

  takeProfit(source: string, referrer: number | null, amount: number): void {
    const [sponsor] = this.earners(referrer);
    if (sponsor === undefined) return;
    this.earn({ source, partner: sponsor, type: 5, level: 1 }, times(rational(amount), percent(5)));
    this.share(referrer, { source, type: 6 }, rational(amount), (rank) => rankOf(rank).profit);
  }

  takeEntrance(source: string, partner: number, amount: number): void {
    if (this.sold.has(source)) return;
    const lines = [{ goods: amount, commission: rational(1), points: rational(0) }];
    this.remember({ source, lines, paid: amount, month: '', sponsor: null, points: 0 });
    const earners = this.earners(this.partners[partner]!.parent);
    [20, 7, 3].forEach((share, index) => {
      const one = earners[index];
      if (one !== undefined)
        this.earn(
          { source, partner: one, type: 0, level: index + 1 },
          times(rational(amount), percent(share)),
        );
    });
  }

  private share(
    referrer: number | null,
    of: { source: string; type: number },
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

  private earn(of: Pick<RefCommission, 'partner' | 'type' | 'source' | 'level'>, amount: Rational): void {
    const grossMinor = rounded(amount);
    const netMinor = grossMinor - rounded(times(rational(grossMinor), this.withheld));
    if (grossMinor > 0)
      this.commissions.push({ ...of, netMinor, status: 'PENDING', reversedFrom: null, back: [] });
  }

  /** Counts a partner and those above who are not counted; the ranks of all above are looked at. */
  join(partner: number): void {
    if (this.counted.has(partner)) return;
    for (const one of this.above(partner)) this.counted.add(one);
    for (const one of this.above(partner)) this.rise(one);
  }

  private rise(partner: number): void {
    const state = this.partners[partner]!;
    if (state.status !== 'ACTIVE') return;
    while (state.rank < 5 && state.rank < (state.limit ?? 5) && this.deserves(partner, state.rank + 1)) {
      state.rank++;
      const paid = this.commissions.some(
        (one) => one.type === 8 && one.partner === partner && one.level === state.rank,
      );
      const of = { partner, type: 8, source: `partner ${partner}`, level: state.rank };
      if (!paid) this.earn(of, rational(rankOf(state.rank).bonus));
    }
  }

  takeRefund(refund: RefRefund): void {
    const { order, paidByBank, month } = refund;
    this.takeOrder(order);
    const sold = this.sold.get(`order ${order}`)!;
    sold.refunds.push(refund);
    sold.left = sold.lines.map(({ goods }) => goods);
    for (const { goods, parts } of sold.refunds.toSorted((a, b) => a.at.getTime() - b.at.getTime()))
      split(sold.left, goods, parts).forEach((amount, line) => (sold.left[line]! -= amount));
    sold.refundsPaid += paidByBank;
    const before = sold.pointsBack;
    this.takeBack(sold, month, false);
    if (sold.pointsBack < before) for (const partner of this.above(sold.sponsor)) this.rise(partner);
  }

  /** A chargeback that is lost for good; what it paid for was taken before. */
  lose(index: number, { of, minor, month }: RefChargeback): void {
    const sold = this.sold.get(of)!;
    sold.lost.set(index, minor);
    this.takeBack(sold, month, false);
  }

  /** The return of a chargeback that was lost before. */
  returnLost(index: number, { of, returnedMonth, owedAgain }: RefChargeback): void {
    const sold = this.sold.get(of)!;
    sold.lost.delete(index);
    sold.refundsPaid -= owedAgain;
    this.restore(sold, returnedMonth);
  }

  takeRepayment({ order, minor, month }: RefRepayment): void {
    this.takeOrder(order);
    const sold = this.sold.get(`order ${order}`)!;
    sold.refundsPaid += minor;
    this.restore(sold, month);
  }

  private restore(sold: RefSold, month: string): void {
    this.takeBack(sold, month, true);
    if (sold.sponsor !== null) for (const partner of this.above(sold.sponsor)) this.rise(partner);
  }
}

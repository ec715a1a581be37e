import {
  entranceCommissions,
  profitCommissions,
  saleCommissions,
  wholeWeight,
} from '../../../../workflows/partners/commission/earning.rules';
import {
  pointsOf,
  takenBack,
  takenByRefunds,
  takenInAll,
  weightsOf,
  type SaleRefund,
  type SaleWeights,
} from '../../../../workflows/partners/commission/taking-back.rules';
import type { RefCommission } from './facts';
import type { RandomWorld, Step } from './random-world';
import { linesOf, RuleCommissions } from './rule-commissions';

interface Sold extends SaleWeights {
  source: string;
  /** The order that it is of; null of an investment or an entrance fee. */
  order: number | null;
  paid: number;
  sponsor: number | null;
  points: number;
  lost: Map<number, number>;
  refundsPaid: number;
  backBase: number;
  backWeight: bigint;
  backPoints: number;
}

/** The engine's rules over lists in memory, so that thousands of worlds are played in the time of a hundred. */
export class RuleEngine extends RuleCommissions {
  private readonly refunds = new Map<number, (SaleRefund & { at: Date })[]>();
  private readonly sold = new Map<string, Sold>();
  private readonly joined = new Set<number>();
  /** The chargebacks that were lost at some time. */
  private readonly lost = new Set<number>();

  constructor(
    private readonly world: RandomWorld,
    withholdingBp: number,
  ) {
    super(world.partners, withholdingBp);
  }

  /** Takes a step; `settled` is the commission that a settling step moves. */
  take(step: Step, settled: RefCommission | undefined): void {
    const { world } = this;
    if (step.kind === 'order') this.takeOrder(step.index);
    if (step.kind === 'refund') this.takeRefund(step.index);
    if (step.kind === 'joined') this.join(step.index);
    if (step.kind === 'status') this.partners[step.partner]!.status = step.to;
    if (step.kind === 'settle' && settled) this.same(settled).status = settled.status;
    if (step.kind === 'investment') this.takeInvestment(step.index);
    if (step.kind === 'entrance') this.takeEntrance(step.index);
    if (step.kind === 'repaid') this.takeRepayment(step.index);
    if (step.kind === 'lost' || step.kind === 'returned') this.takeChargeback(step.kind, step.index);
    if (step.kind === 'profit') {
      const { buyer, amount } = world.profits[step.index]!;
      const earned = profitCommissions(this.terms, this.uplines(world.buyers[buyer]!), amount);
      this.add(earned, { source: `profit ${step.index}` }, 0n);
    }
  }

  private takeInvestment(index: number): void {
    const { buyer, isNextTerm, amount, commissionBp, pointsBp } = this.world.investments[index]!;
    if (isNextTerm || this.sold.has(`deposit ${index}`)) return;
    const weights = weightsOf([{ goodsMinor: amount, commissionBp, careerPointsBp: pointsBp }]);
    const sale = { source: `deposit ${index}`, order: null, paid: amount, month: '2026-01', isRepeat: false };
    this.sell(this.world.buyers[buyer]!, { ...sale, ...weights });
  }

  private takeEntrance(index: number): void {
    const source = `entrance ${index}`;
    if (this.sold.has(source)) return;
    const { partner, amount } = this.world.entrances[index]!;
    const weights = { baseMinor: amount, commissionWeight: wholeWeight(amount), pointsWeight: 0n };
    this.keep({ source, order: null, paid: amount, sponsor: null, points: 0, ...weights });
    const earned = entranceCommissions(this.terms, this.uplines(this.partners[partner]!.parent), amount);
    this.add(earned, { source }, weights.commissionWeight);
  }

  private keep(sold: Omit<Sold, 'lost' | 'refundsPaid' | 'backBase' | 'backWeight' | 'backPoints'>): void {
    const nothing = { refundsPaid: 0, backBase: 0, backWeight: 0n, backPoints: 0 };
    this.sold.set(sold.source, { ...sold, lost: new Map(), ...nothing });
  }

  private takeOrder(index: number): void {
    if (this.sold.has(`order ${index}`)) return;
    const { buyer, sponsor, paidAt, month, lines, shipping } = this.world.orders[index]!;
    const isRepeat = this.world.orders.some((one) => one.buyer === buyer && one.paidAt < paidAt);
    const paid = lines.reduce((sum, { goods }) => sum + goods, shipping);
    const sale = { source: `order ${index}`, order: index, paid, month, isRepeat };
    this.sell(sponsor, { ...sale, ...weightsOf(linesOf(this.world.orders[index]!)) });
  }

  private sell(
    referrer: number | null,
    sale: SaleWeights & Pick<Sold, 'source' | 'order' | 'paid'> & { month: string; isRepeat: boolean },
  ): void {
    const all = this.uplines(referrer);
    const uplines = all.slice(all.findIndex(({ status }) => status === 'ACTIVE'));
    const isSponsored = all.some(({ status }) => status === 'ACTIVE');
    const { month, isRepeat, ...kept } = sale;
    const points = pointsOf(sale.pointsWeight);
    const sponsor = isSponsored ? Number(uplines[0]!.partnerId) : null;
    this.keep({ ...kept, sponsor, points });
    if (sponsor === null) return;
    const sourceType = sale.order === null ? ('INVESTMENT' as const) : ('ORDER' as const);
    const [source, weight] = [sale.source, sale.commissionWeight];
    this.add(saleCommissions(this.terms, uplines, { sourceType, weight, isRepeat }), { source }, weight);
    this.sales.push({ sponsor, baseMinor: sale.baseMinor, points, month });
    this.raise(uplines.map(({ partnerId }) => Number(partnerId)));
  }

  private join(partner: number): void {
    if (this.joined.has(partner)) return;
    const path = this.above(partner);
    for (const one of path) this.joined.add(one);
    this.raise(path);
  }

  private takeRefund(at: number): void {
    const { order, goods: goodsMinor, parts, paidByBank, month, at: time } = this.world.refunds[at]!;
    this.takeOrder(order);
    const sold = this.sold.get(`order ${order}`)!;
    const before = sold.backPoints;
    sold.refundsPaid += paidByBank;
    const units = parts.map(({ line, goods }) => ({ lineId: String(line), goodsMinor: goods }));
    this.refunds.set(order, [...(this.refunds.get(order) ?? []), { goodsMinor, parts: units, at: time }]);
    this.takeBack(`order ${order}`, month, false);
    if (sold.sponsor !== null && sold.backPoints < before) this.raise(this.above(sold.sponsor));
  }

  private takeChargeback(kind: 'lost' | 'returned', index: number): void {
    const { of, minor, month, returnedMonth, owedAgain } = this.world.chargebacks[index]!;
    const [what, at] = of.split(' ');
    if (what === 'order') this.takeOrder(Number(at));
    if (what === 'deposit') this.takeInvestment(Number(at));
    if (what === 'entrance') this.takeEntrance(Number(at));
    const sold = this.sold.get(of)!;
    if (!this.lost.has(index)) {
      this.lost.add(index);
      sold.lost.set(index, minor);
      this.takeBack(of, month, false);
    }
    if (kind === 'lost') return;
    sold.lost.delete(index);
    sold.refundsPaid -= owedAgain;
    this.restore(sold, returnedMonth);
  }

  private takeRepayment(index: number): void {
    const { order, minor, month } = this.world.repayments[index]!;
    this.takeOrder(order);
    const sold = this.sold.get(`order ${order}`)!;
    sold.refundsPaid += minor;
    this.restore(sold, month);
  }

  private restore({ source, sponsor }: Sold, month: string): void {
    this.takeBack(source, month, true);
    if (sponsor !== null) this.raise(this.above(sponsor));
  }

  private takeBack(source: string, month: string, restores: boolean): void {
    const sold = this.sold.get(source)!;
    const { order, paid, lost, sponsor, points } = sold;
    const lines = order === null ? [] : linesOf(this.world.orders[order]!);
    const refunds = this.refunds.get(order ?? -1) ?? [];
    const byRefunds = takenByRefunds(
      lines,
      refunds.toSorted((a, b) => a.at.getTime() - b.at.getTime()),
    );
    const lostMinor = [...lost.values()].reduce((sum, one) => sum + one, 0);
    const inAll = takenInAll(sold, weightsOf(lines, byRefunds), {
      ...{ minor: lostMinor, ofMinor: paid, ofRefundsMinor: sold.refundsPaid },
    });
    const mayRestore = restores || inAll.commissionWeight < sold.backWeight;
    for (const one of this.commissions.filter((commission) => commission.source === source))
      this.reverse(one, inAll.commissionWeight, mayRestore);
    const backPoints = takenBack(points, { weight: inAll.pointsWeight, of: sold.pointsWeight });
    if (sponsor !== null)
      this.sales.push({
        ...{
          sponsor,
          baseMinor: sold.backBase - inAll.baseMinor,
          points: sold.backPoints - backPoints,
          month,
        },
      });
    [sold.backBase, sold.backPoints] = [inAll.baseMinor, backPoints];
    sold.backWeight = inAll.commissionWeight;
  }
}

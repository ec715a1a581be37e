import {
  entranceCommissions,
  netOf,
  profitCommissions,
  saleCommissions,
} from '../../../../workflows/partners/commission/earning.rules';
import {
  pointsOf,
  takenBack,
  takenByLast,
  weightsOf,
  type SaleRefund,
  type SaleWeights,
  type SoldLine,
} from '../../../../workflows/partners/commission/taking-back.rules';
import { rankRises, type RankCandidate } from '../../../../workflows/partners/rank/rank-rise.rules';
import { rankOf, RANKS, REQUIREMENTS, TERMS, type RefCommission } from './facts';
import type { RandomWorld, Step } from './random-world';
import { RuleCommissions } from './rule-commissions';

interface Sold extends SaleWeights {
  sponsor: number;
  points: number;
  taken: SaleWeights;
  backPoints: number;
}

/** The engine's rules over lists in memory, so that thousands of worlds are played in the time of a hundred. */
export class RuleEngine extends RuleCommissions {
  private readonly refunds = new Map<number, SaleRefund[]>();
  private readonly sold = new Map<number, Sold | null>();
  private readonly joined = new Set<number>();

  constructor(private readonly world: RandomWorld) {
    super(world.partners.map((partner) => ({ ...partner })));
  }

  /** Takes a step; `settled` is the commission that a settling step moves. */
  take(step: Step, settled: RefCommission | undefined): void {
    const { world } = this;
    if (step.kind === 'order') this.takeOrder(step.index);
    if (step.kind === 'refund') this.takeRefund(step.index);
    if (step.kind === 'joined') this.join(step.index);
    if (step.kind === 'status') this.partners[step.partner]!.isActive = step.isActive;
    if (step.kind === 'settle' && settled) this.same(settled).status = settled.status;
    if (step.kind === 'investment' && !world.investments[step.index]!.isNextTerm) {
      const {
        buyer,
        amount: goodsMinor,
        commissionBp,
        pointsBp: careerPointsBp,
      } = world.investments[step.index]!;
      const weights = weightsOf([{ goodsMinor, commissionBp, careerPointsBp }]);
      const sale = { source: `deposit ${step.index}`, order: null, month: '2026-01', isRepeat: false };
      this.sell(world.buyers[buyer]!, { ...sale, ...weights });
    }
    if (step.kind === 'profit') {
      const { buyer, amount } = world.profits[step.index]!;
      const earned = profitCommissions(TERMS, this.uplines(world.buyers[buyer]!), amount);
      this.add(earned, { source: `profit ${step.index}`, order: null }, 0n);
    }
    if (step.kind === 'entrance') {
      const { partner, amount } = world.entrances[step.index]!;
      const earned = entranceCommissions(TERMS, this.uplines(this.partners[partner]!.parent), amount);
      this.add(earned, { source: `entrance ${step.index}`, order: null }, 0n);
    }
  }

  private linesOf(index: number): SoldLine[] {
    const { lines, rates } = this.world.orders[index]!;
    return lines.map(({ goods: goodsMinor }, line) => ({
      ...{ id: String(line), goodsMinor, commissionBp: rates[line]!.commissionBp },
      careerPointsBp: rates[line]!.pointsBp,
    }));
  }

  private takeOrder(index: number): void {
    if (this.sold.has(index)) return;
    const { buyer, sponsor, paidAt, month } = this.world.orders[index]!;
    const isRepeat = this.world.orders.some((one) => one.buyer === buyer && one.paidAt < paidAt);
    const sale = {
      source: `order ${index}`,
      order: index,
      month,
      isRepeat,
      ...weightsOf(this.linesOf(index)),
    };
    this.sold.set(index, this.sell(sponsor, sale));
  }

  private sell(
    referrer: number | null,
    sale: SaleWeights & { source: string; order: number | null; month: string; isRepeat: boolean },
  ): Sold | null {
    const all = this.uplines(referrer);
    const uplines = all.slice(all.findIndex(({ status }) => status === 'ACTIVE'));
    if (!all.some(({ status }) => status === 'ACTIVE')) return null;
    const { source, order, month, isRepeat, ...weights } = sale;
    const sourceType = order === null ? ('INVESTMENT' as const) : ('ORDER' as const);
    const weight = weights.commissionWeight;
    this.add(saleCommissions(TERMS, uplines, { sourceType, weight, isRepeat }), { source, order }, weight);
    const [sponsor, points] = [Number(uplines[0]!.partnerId), pointsOf(weights.pointsWeight)];
    this.sales.push({ order, sponsor, baseMinor: weights.baseMinor, points, month });
    this.raise(uplines.map(({ partnerId }) => Number(partnerId)));
    return { ...weights, sponsor, points, taken: weightsOf([]), backPoints: 0 };
  }

  private join(partner: number): void {
    if (this.joined.has(partner)) return;
    const path = this.above(partner);
    for (const one of path) this.joined.add(one);
    this.raise(path);
  }

  private raise(path: readonly number[]): void {
    const candidates = path.map((partner) => this.candidate(partner));
    for (const { partnerId, rankLevel, reached } of rankRises(candidates, REQUIREMENTS)) {
      const partner = Number(partnerId);
      this.partners[partner]!.rank = rankLevel;
      const bonuses = reached.flatMap((level) => {
        const grossMinor = rankOf(level).bonus;
        const of = { partnerId, type: 8 as const, level, grossMinor, netMinor: netOf(grossMinor, 0) };
        const isPaid = this.commissions.some(
          (one) => one.type === 8 && one.partner === partner && one.level === level,
        );
        return grossMinor === 0 || isPaid ? [] : [of];
      });
      this.add(bonuses, { source: `partner ${partner}`, order: null }, 0n);
    }
  }

  private candidate(partner: number): RankCandidate {
    const { isActive, rank, limit } = this.partners[partner]!;
    const legs = this.children(partner);
    return {
      ...{ partnerId: String(partner), status: isActive ? 'ACTIVE' : 'SUSPENDED' },
      ...{ rankLevel: rank, rankLimit: limit, networkRankLevel: this.networkRank(partner) },
      ...{ personalPoints: this.personal(partner), groupPoints: this.group(partner) },
      largestLegPoints: legs.length === 0 ? 0 : Math.max(...legs.map(this.group)),
      legs: Object.fromEntries(
        RANKS.map(({ level, legLevel }) => [
          ...[level, legs.filter((leg) => this.networkRank(leg) >= legLevel).length],
        ]),
      ),
    };
  }

  private takeRefund(at: number): void {
    const { order, goods: goodsMinor, parts, month } = this.world.refunds[at]!;
    this.takeOrder(order);
    const units = parts.map(({ line, goods }) => ({ lineId: String(line), goodsMinor: goods }));
    const refunds = [...(this.refunds.get(order) ?? []), { goodsMinor, parts: units }];
    this.refunds.set(order, refunds);
    const sale = this.sold.get(order);
    if (!sale) return;
    const lines = this.linesOf(order);
    const now = weightsOf(lines, takenByLast(lines, refunds));
    sale.taken.commissionWeight += now.commissionWeight;
    sale.taken.pointsWeight += now.pointsWeight;
    const points =
      takenBack(sale.points, { weight: sale.taken.pointsWeight, of: sale.pointsWeight }) - sale.backPoints;
    sale.backPoints += points;
    this.sales.push({
      ...{ order, sponsor: sale.sponsor, baseMinor: 0 - now.baseMinor, points: 0 - points, month },
    });
    for (const one of this.commissions.filter((commission) => commission.order === order))
      this.reverse(one, sale.taken.commissionWeight);
  }
}

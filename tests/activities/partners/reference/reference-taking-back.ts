import { ReferenceTree } from './tree';
import type { RefCommission, RefLine, RefSold } from './facts';
import { floor, isLess, minus, rational, rounded, times, total, type Rational } from './rational';

export const sum = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0);

/** The commission or the points that amounts of the lines carry. */
export const carried = (
  lines: readonly RefLine[],
  amounts: readonly number[],
  rate: 'commission' | 'points',
): Rational => total(lines.map((line, at) => times(rational(amounts[at]!), line[rate])));

const over = (part: Rational, whole: Rational): Rational => rational(part.n * whole.d, part.d * whole.n);

/** Commissions, and what is taken back of them; every sum is added up again each time. */
export class ReferenceTakingBack extends ReferenceTree {
  readonly commissions: RefCommission[] = [];

  /** The part of all lines that is kept of what refunds left, when banks have taken their part of the money. */
  private keptShare({ lines, left, lost, refundsPaid, paid }: RefSold): Rational {
    const goods = sum(lines.map((line) => line.goods));
    const rest = sum(left);
    const beyondRefunds = Math.max(0, sum([...lost.values()]) - Math.max(0, refundsPaid));
    const taken = rounded(rational(BigInt(goods) * BigInt(beyondRefunds), paid));
    return rest === 0 ? rational(0) : rational(rest - Math.min(rest, taken), rest);
  }

  protected takeBack(sold: RefSold, month: string, restores: boolean): void {
    const { source, lines, left, sponsor } = sold;
    const goods = lines.map((line) => line.goods);
    const kept = this.keptShare(sold);
    // A weight is whole in ten-thousandths of a cent; null of a sale that carries nothing.
    const share = (rate: 'commission' | 'points'): Rational | null => {
      const whole = carried(lines, goods, rate);
      const rest = rational(floor(times(times(carried(lines, left, rate), kept), rational(10_000))), 10_000);
      return whole.n === 0n ? null : over(minus(whole, rest), whole);
    };
    const back = share('commission');
    this.takeBackCommissions(source, back, restores || (back !== null && isLess(back, sold.shareBack)));
    sold.shareBack = back ?? sold.shareBack;
    if (sponsor === null) return;
    const base = sum(goods) - rounded(times(rational(sum(left)), kept));
    const of = share('points');
    const points = of === null ? 0 : rounded(times(rational(sold.points), of));
    this.sales.push({ sponsor, baseMinor: sold.baseBack - base, points: sold.pointsBack - points, month });
    [sold.baseBack, sold.pointsBack] = [base, points];
  }

  private takeBackCommissions(source: string, share: Rational | null, restores: boolean): void {
    if (share === null) return;
    for (const commission of this.commissions.filter((one) => one.source === source)) {
      let mayRestore = restores;
      if (commission.status === 'REVERSED') {
        if (share.n === share.d || commission.reversedFrom === null) continue;
        commission.status = commission.reversedFrom;
        commission.reversedFrom = null;
        mayRestore = false;
      }
      const isWhole = share.n === share.d && commission.back.length === 0;
      if (isWhole && commission.status !== 'PAID') {
        commission.reversedFrom = commission.status;
        commission.status = 'REVERSED';
        continue;
      }
      const before = sum(commission.back.map(({ netMinor }) => netMinor));
      const missing = rounded(times(rational(commission.netMinor), share)) - before;
      const status = commission.status === 'PAID' ? 'APPROVED' : commission.status;
      if (missing !== 0 && missing < 0 === mayRestore) commission.back.push({ netMinor: missing, status });
    }
  }
}

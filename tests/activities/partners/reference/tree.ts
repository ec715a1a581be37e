import { rankOf, type RefPartner, type RefSale } from './facts';
import { isLess, least, minus, most, plus, rational, total } from './rational';

/** The partners and what they sold; every sum is added up again each time. */
export class ReferenceTree {
  readonly sales: RefSale[] = [];

  constructor(readonly partners: RefPartner[]) {}

  protected above(partner: number | null): number[] {
    return partner === null ? [] : [partner, ...this.above(this.partners[partner]!.parent)];
  }

  protected below(partner: number): number[] {
    return [partner, ...this.children(partner).flatMap((child) => this.below(child))];
  }

  children(partner: number): number[] {
    return this.partners.flatMap(({ parent }, index) => (parent === partner ? [index] : []));
  }

  protected earners(partner: number | null): number[] {
    return this.above(partner).filter((one) => this.partners[one]!.status === 'ACTIVE');
  }

  personal = (partner: number): number =>
    this.sales.reduce((sum, sale) => sum + (sale.sponsor === partner ? sale.points : 0), 0);
  group = (partner: number): number => this.below(partner).reduce((sum, one) => sum + this.personal(one), 0);
  networkRank = (partner: number): number =>
    Math.max(...this.below(partner).map((one) => this.partners[one]!.rank));

  /** True if the points and legs suffice for a rank. */
  protected deserves(partner: number, level: number): boolean {
    const rank = rankOf(level);
    const legs = [this.personal(partner), ...this.children(partner).map(this.group)].map((points) =>
      rational(points, 100),
    );
    const largest = legs.reduce(most);
    const counted = plus(minus(total(legs), largest), least(largest, rational(rank.group, 2)));
    const ranked = this.children(partner).filter((child) => this.networkRank(child) >= rank.legLevel).length;
    return (
      this.personal(partner) >= rank.personal * 100 &&
      !isLess(counted, rational(rank.group)) &&
      ranked >= rank.legs
    );
  }
}

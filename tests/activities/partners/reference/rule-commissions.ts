import {
  netOf,
  type CommissionTerms,
  type EarnedCommission,
  type Upline,
} from '../../../../workflows/partners/commission/earning.rules';
import {
  restoredTo,
  reversalOf,
  type SoldLine,
} from '../../../../workflows/partners/commission/taking-back.rules';
import { rankRises, type RankCandidate } from '../../../../workflows/partners/rank/rank-rise.rules';
import { rankOf, RANKS, REQUIREMENTS, termsOf, type RefCommission, type RefPartner } from './facts';
import type { RandomWorld } from './random-world';
import { ReferenceTree } from './tree';

type Earned = RefCommission & { grossMinor: number; weight: bigint; backGrossMinor: number };

/** Commissions in memory as the engine's rules make them and take them back. */
export class RuleCommissions extends ReferenceTree {
  readonly commissions: Earned[] = [];
  protected readonly terms: CommissionTerms;

  constructor(partners: readonly RefPartner[], withholdingBp: number) {
    super(partners.map((partner) => ({ ...partner })));
    this.terms = termsOf(withholdingBp);
  }

  protected same({ partner, type, source, level }: RefCommission): Earned {
    return this.commissions.find(
      (one) => one.partner === partner && one.type === type && one.source === source && one.level === level,
    )!;
  }

  protected uplines(from: number | null): Upline[] {
    return this.above(from).map((partner) => {
      const { status, rank } = this.partners[partner]!;
      return { partnerId: String(partner), status, rankLevel: rank };
    });
  }

  protected add(
    earned: readonly Pick<EarnedCommission, 'partnerId' | 'type' | 'level' | 'grossMinor' | 'netMinor'>[],
    of: { source: string },
    weight: bigint,
  ): void {
    for (const { partnerId, type, level, grossMinor, netMinor } of earned)
      this.commissions.push({
        ...{ ...of, partner: Number(partnerId), type, level, grossMinor, netMinor, weight },
        ...{ status: 'PENDING', reversedFrom: null, back: [], backGrossMinor: 0 },
      });
  }

  protected reverse(one: Earned, weightTaken: bigint, restores: boolean): void {
    const restored = restoredTo({ ...one, commissionWeight: one.weight }, weightTaken);
    if (restored !== null) [one.status, one.reversedFrom] = [restored, null];
    const backNetMinor = one.back.reduce((sum, { netMinor }) => sum + netMinor, 0);
    const { status, grossMinor, netMinor, backGrossMinor, weight: commissionWeight } = one;
    const reversal = reversalOf(
      {
        status,
        hasParts: one.back.length > 0,
        grossMinor,
        netMinor,
        points: 0,
        commissionWeight,
        backGrossMinor,
        backNetMinor,
        backPoints: 0,
      },
      weightTaken,
      restores && restored === null,
    );
    if (reversal.kind === 'REVERSED' && status !== 'PAID' && status !== 'REVERSED')
      [one.status, one.reversedFrom] = ['REVERSED', status];
    if (reversal.kind !== 'PART') return;
    one.back.push({ netMinor: reversal.netMinor, status: reversal.status });
    one.backGrossMinor += reversal.grossMinor;
  }

  protected raise(path: readonly number[]): void {
    const candidates = path.map((partner) => this.candidate(partner));
    for (const { partnerId, rankLevel, reached } of rankRises(candidates, REQUIREMENTS)) {
      const partner = Number(partnerId);
      this.partners[partner]!.rank = rankLevel;
      const bonuses = reached.flatMap((level) => {
        const grossMinor = rankOf(level).bonus;
        const of = { partnerId, type: 8 as const, level, grossMinor, netMinor: this.netOf(grossMinor) };
        const isPaid = this.commissions.some(
          (one) => one.type === 8 && one.partner === partner && one.level === level,
        );
        return grossMinor === 0 || isPaid ? [] : [of];
      });
      this.add(bonuses, { source: `partner ${partner}` }, 0n);
    }
  }

  private netOf(grossMinor: number): number {
    return netOf(grossMinor, this.terms.rates.withholdingBp);
  }

  private candidate(partner: number): RankCandidate {
    const { status, rank, limit } = this.partners[partner]!;
    const legs = this.children(partner);
    return {
      ...{ partnerId: String(partner), status },
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
}

/** The lines of an order as the engine's rules take them, named by their places. */
export const linesOf = ({ lines, rates }: RandomWorld['orders'][number]): SoldLine[] =>
  lines.map(({ goods: goodsMinor }, line) => ({
    ...{ id: String(line), goodsMinor, commissionBp: rates[line]!.commissionBp },
    careerPointsBp: rates[line]!.pointsBp,
  }));

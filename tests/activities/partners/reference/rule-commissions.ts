import type { EarnedCommission, Upline } from '../../../../workflows/partners/commission/earning.rules';
import { reversalOf } from '../../../../workflows/partners/commission/taking-back.rules';
import type { RefCommission } from './facts';
import { ReferenceTree } from './tree';

type Earned = RefCommission & { grossMinor: number; weight: bigint; backGrossMinor: number };

/** Commissions in memory as the engine's rules make them and take them back. */
export class RuleCommissions extends ReferenceTree {
  readonly commissions: Earned[] = [];

  protected same({ partner, type, source, level }: RefCommission): Earned {
    return this.commissions.find(
      (one) => one.partner === partner && one.type === type && one.source === source && one.level === level,
    )!;
  }

  protected uplines(from: number | null): Upline[] {
    return this.above(from).map((partner) => {
      const { isActive, rank } = this.partners[partner]!;
      return { partnerId: String(partner), status: isActive ? 'ACTIVE' : 'SUSPENDED', rankLevel: rank };
    });
  }

  protected add(
    earned: readonly Pick<EarnedCommission, 'partnerId' | 'type' | 'level' | 'grossMinor' | 'netMinor'>[],
    of: { source: string; order: number | null },
    weight: bigint,
  ): void {
    for (const { partnerId, type, level, grossMinor, netMinor } of earned)
      this.commissions.push({
        ...{ ...of, partner: Number(partnerId), type, level, grossMinor, netMinor, weight },
        ...{ status: 'PENDING', back: [], backGrossMinor: 0 },
      });
  }

  protected reverse(one: Earned, weightTaken: bigint): void {
    const backNetMinor = one.back.reduce((sum, { netMinor }) => sum + netMinor, 0);
    const { status, grossMinor, netMinor, backGrossMinor, weight: commissionWeight } = one;
    const reversal = reversalOf(
      {
        status,
        grossMinor,
        netMinor,
        points: 0,
        commissionWeight,
        backGrossMinor,
        backNetMinor,
        backPoints: 0,
      },
      weightTaken,
    );
    if (reversal.kind === 'REVERSED') one.status = 'REVERSED';
    if (reversal.kind !== 'PART') return;
    one.back.push({ netMinor: reversal.netMinor, status: reversal.status });
    one.backGrossMinor += reversal.grossMinor;
  }
}

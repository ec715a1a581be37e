import { MONTHS, type RandomWorld, type Step } from './random-world';
import { rational } from './rational';
import type { Reference } from './reference';

/** A step as the reference takes it. Answers the commission that a settling step moves, if there is one. */
export function referenceStep(reference: Reference, world: RandomWorld, step: Step) {
  switch (step.kind) {
    case 'order':
      reference.takeOrder(step.index);
      return undefined;
    case 'refund':
      reference.takeRefund(world.refunds[step.index]!);
      return undefined;
    case 'investment': {
      const { buyer, isNextTerm, amount, commissionBp, pointsBp } = world.investments[step.index]!;
      if (isNextTerm) return undefined;
      const rates = { commission: rational(commissionBp, 10_000), points: rational(pointsBp, 10_000) };
      const of = { sponsor: world.buyers[buyer]!, amount, ...rates, month: MONTHS[0]! };
      reference.takeInvestment(`deposit ${step.index}`, of);
      return undefined;
    }
    case 'profit': {
      const { buyer, amount } = world.profits[step.index]!;
      reference.takeProfit(`profit ${step.index}`, world.buyers[buyer]!, amount);
      return undefined;
    }
    case 'entrance': {
      const { partner, amount } = world.entrances[step.index]!;
      reference.takeEntrance(`entrance ${step.index}`, partner, amount);
      return undefined;
    }
    case 'status':
      reference.partners[step.partner]!.isActive = step.isActive;
      return undefined;
    case 'settle': {
      const open = reference.commissions.filter(
        ({ status, back }) => status === 'PENDING' && back.length === 0,
      );
      const chosen = open[step.pick % Math.max(1, open.length)];
      if (chosen) chosen.status = step.to;
      return chosen;
    }
    case 'joined':
      reference.join(step.index);
      return undefined;
  }
}

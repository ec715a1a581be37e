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
    case 'investment':
      takeInvestment(reference, world, step.index);
      return undefined;
    case 'lost':
      loseChargeback(reference, world, step.index);
      return undefined;
    case 'returned':
      loseChargeback(reference, world, step.index);
      reference.returnLost(step.index, world.chargebacks[step.index]!);
      return undefined;
    case 'repaid':
      reference.takeRepayment(world.repayments[step.index]!);
      return undefined;
    case 'profit': {
      const { buyer, amount } = world.profits[step.index]!;
      reference.takeProfit(`profit ${step.index}`, world.buyers[buyer]!, amount);
      return undefined;
    }
    case 'entrance':
      takeEntrance(reference, world, step.index);
      return undefined;
    case 'status':
      reference.partners[step.partner]!.status = step.to;
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

function takeInvestment(reference: Reference, world: RandomWorld, index: number): void {
  const { buyer, isNextTerm, amount, commissionBp, pointsBp } = world.investments[index]!;
  if (isNextTerm) return;
  const rates = { commission: rational(commissionBp, 10_000), points: rational(pointsBp, 10_000) };
  const of = { sponsor: world.buyers[buyer]!, amount, ...rates, month: MONTHS[0]! };
  reference.takeInvestment(`deposit ${index}`, of);
}

function takeEntrance(reference: Reference, world: RandomWorld, index: number): void {
  const { partner, amount } = world.entrances[index]!;
  reference.takeEntrance(`entrance ${index}`, partner, amount);
}

/** A chargeback is lost once, and what it paid for is taken before. */
function loseChargeback(reference: Reference, world: RandomWorld, index: number): void {
  if (reference.lostOnce.has(index)) return;
  reference.lostOnce.add(index);
  const chargeback = world.chargebacks[index]!;
  const [kind, of] = chargeback.of.split(' ');
  if (kind === 'order') reference.takeOrder(Number(of));
  if (kind === 'deposit') takeInvestment(reference, world, Number(of));
  if (kind === 'entrance') takeEntrance(reference, world, Number(of));
  reference.lose(index, chargeback);
}

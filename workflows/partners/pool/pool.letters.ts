import { salutation } from '../../administration/outbox/letter.rules';
import { amountInWords } from '../../commerce/money.rules';
import type { PoolKind } from './pool-period.rules';

/** The mail to a partner who got a share of a leadership pool. */
export function poolShareLetter({
  firstName,
  kind,
  period,
  amountMinor,
  currency,
}: {
  firstName: string;
  kind: PoolKind;
  period: string;
  amountMinor: number;
  currency: string;
}) {
  const amount = amountInWords(amountMinor, currency);
  const pool = `${kind === 'WEEKLY' ? 'weekly' : 'monthly'} leadership pool ${period}`;
  return {
    subject: `Your share of the ${pool}`,
    greeting: salutation(firstName),
    paragraphs: [`Your share of the ${pool} is ${amount}. It is available now.`],
  };
}

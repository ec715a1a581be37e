import { salutation } from '../../administration/outbox/letter.rules';
import { amountInWords } from '../../commerce/money.rules';

/** REQUESTED: it is on its way. PAID: it is in the wallet at once. CREDITED: the transfer was refused. */
export type WithdrawalMailKind = 'REQUESTED' | 'PAID' | 'SENT' | 'CREDITED';

const SUBJECTS: Record<WithdrawalMailKind, string> = {
  REQUESTED: 'Withdrawal requested',
  PAID: 'Withdrawal paid to your balance',
  SENT: 'Withdrawal sent',
  CREDITED: 'Withdrawal paid to your balance instead',
};

interface WithdrawnMoney {
  firstName: string;
  /** The number of the participation. */
  number: string;
  strategyName: string;
  amountMinor: number;
  currency: string;
  /** Null: the wallet. */
  maskedDetails: string | null;
}

const NOT_YOU = 'If this was not you, change your password at once and contact our support.';

/** The mail about the withdrawal of a participation. */
export function withdrawalLetter(
  kind: WithdrawalMailKind,
  { firstName, number, strategyName, amountMinor, currency, maskedDetails }: WithdrawnMoney,
) {
  const amount = amountInWords(amountMinor, currency);
  const withdrawn = `You have withdrawn your participation ${number} in ${strategyName}.`;
  const destination = maskedDetails ?? 'your account';
  const paid = amountMinor > 0 ? `We have paid ${amount} to your balance.` : 'Nothing is left to pay out.';
  const money = `${amount} of your participation ${number} in ${strategyName}`;
  const paragraphs: Record<WithdrawalMailKind, string[]> = {
    REQUESTED: [withdrawn, `We are sending ${amount} to ${destination}.`, NOT_YOU],
    PAID: [withdrawn, paid, NOT_YOU],
    SENT: [`We have sent ${money} to ${destination}.`],
    CREDITED: [`We could not send ${money} to ${destination}.`, 'The money is on your balance instead.'],
  };
  return {
    subject: `${SUBJECTS[kind]}: ${number}`,
    greeting: salutation(firstName),
    paragraphs: paragraphs[kind],
  };
}

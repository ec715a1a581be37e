/** A destination of money: a bank account, a card or an e-wallet. Personal data: only ever stored sealed. */
export type Destination =
  | {
      method: 'BANK_TRANSFER';
      accountHolder: string;
      bankName?: string | undefined;
      bik?: string | undefined;
      accountNumber?: string | undefined;
      iban?: string | undefined;
    }
  | { method: 'CARD'; accountHolder: string; cardNumber: string }
  | { method: 'EWALLET'; accountHolder: string; walletId: string };

/** The number, or the name, by which a bank finds it. */
export function destinationNumber(destination: Destination): string {
  switch (destination.method) {
    case 'BANK_TRANSFER':
      return destination.iban ?? destination.accountNumber ?? '';
    case 'CARD':
      return destination.cardNumber;
    case 'EWALLET':
      return destination.walletId;
  }
}

/** The form that may be shown: the last four characters; at most half of a shorter number. */
export function maskedDestination(destination: Destination): string {
  const number = destinationNumber(destination);
  return `•••• ${number.slice(number.length - Math.min(4, Math.floor(number.length / 2)))}`;
}

/** The ways in which a withdrawn participation is paid out. */
export const WITHDRAWAL_METHODS = ['BANK_CARD', 'BANK_TRANSFER', 'BALANCE'] as const;
export type WithdrawalMethod = (typeof WITHDRAWAL_METHODS)[number];

/** The payout details that a method needs; null: the money stays here. */
export const DESTINATION_OF = {
  BANK_CARD: 'CARD',
  BANK_TRANSFER: 'BANK_TRANSFER',
  BALANCE: null,
} as const satisfies Record<WithdrawalMethod, string | null>;

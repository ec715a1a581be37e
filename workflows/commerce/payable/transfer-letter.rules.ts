/** The account for a bank transfer, as mails show it. */
export interface TransferAccount {
  accountHolder: string;
  bankName: string;
  accountNumber: string;
  bik: string;
  purpose: string;
}

/** The account to transfer to, with the end of the time to transfer. */
export interface TransferLetterData extends TransferAccount {
  payBy: Date;
}

/** The paragraphs of a mail that tell where to transfer money. */
export const transferParagraphs = (account: TransferAccount): (string | readonly string[])[] => [
  [
    `Account holder: ${account.accountHolder}`,
    `Bank: ${account.bankName}`,
    `Account: ${account.accountNumber}`,
    `BIC: ${account.bik}`,
    `Reference: ${account.purpose}`,
  ],
  'Please give exactly this reference.',
];

/**
 * The purposes that secrets are sealed for. Each names the row, and where it matters its owner, so that sealed bytes
 * copied to another row do not open there. `rotation/sealed-columns.ts` has the column of each but stored answers: they are
 * forgotten after a day, and their requests are recognised under the first key only.
 */
export const sealPurposes = {
  bankFile: (fileId: string): string => `bank-file:${fileId}`,
  bankFileTransfer: (transferId: string): string => `bank-file-transfer:${transferId}`,
  documentNumber: (numberId: string): string => `kyc-number:${numberId}`,
  documentKey: (document: { documentId: string; userId: string; type: string }): string =>
    `kyc-document-key:${document.documentId}:${document.userId}:${document.type}`,
  documentName: (documentId: string): string => `kyc-document-name:${documentId}`,
  outboxMessage: (messageId: string): string => `outbox:${messageId}`,
  payoutDetails: (userId: string): string => `payout:${userId}`,
  payoutDestination: (payoutId: string): string => `payout-destination:${payoutId}`,
  investmentWithdrawal: (withdrawalId: string): string => `investment-withdrawal:${withdrawalId}`,
  kycProviderReport: (reportId: string): string => `kyc-provider-report:${reportId}`,
  personalInfo: (kycId: string): string => `kyc-personal:${kycId}`,
  kycNote: (eventId: string): string => `kyc-note:${eventId}`,
  kycRequestedMessage: (kycId: string): string => `kyc-requested:${kycId}`,
  providerSecret: (secretId: string): string => `provider-secret:${secretId}`,
  requestNote: (noteId: string): string => `request-note:${noteId}`,
  sentCode: (codeId: string): string => `code:${codeId}`,
  storedAnswer: (request: { owner: string; route: string; key: string }): string =>
    `answer:${JSON.stringify([request.owner, request.route, request.key])}`,
  totp: (userId: string): string => `totp:${userId}`,
  undo: (tokenId: string): string => `undo:${tokenId}`,
};

import { z } from 'zod';

export const SettlementOutcomeField = z.enum(['DONE', 'REFUSED']).meta({
  id: 'SettlementOutcome',
  description: 'The outcome of a transfer by hand. REFUSED: the bank refused it, or returned it.',
});
export const TransferOutcomeField = z.enum(['APPLIED', 'RETURNED']).meta({
  id: 'TransferOutcome',
  description: 'The use of a bank transfer. APPLIED: it pays. RETURNED: it is sent back.',
});

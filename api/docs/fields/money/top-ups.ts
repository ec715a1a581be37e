import type { FieldWords } from '../words';

/** Top-ups of wallets. */
export const topUpFields: FieldWords = {
  topUpId: 'The top-up that it is about.',
  topUpNumber: 'The number of the top-up behind it; null if there is none.',
  topUpRefunds: 'Money that goes back of payments for top-ups.',
  topUps: 'Top-ups of the wallet, newest first.',
  'TopUp.number': 'The name of the top-up for people, and the purpose of a bank transfer.',
  'TopUp.paidAt': 'When the money came to the wallet; null before.',
  'AdminTopUp.number': 'The name of the top-up for people, and the purpose of a bank transfer.',
  'AdminTopUp.paidAt': 'When the money came to the wallet; null before.',
  'topUp.number': 'The number of the top-up, as people and bank transfers name it.',
  'topUps.number': 'The number of the top-up, as people and bank transfers name it.',
  'entrance.number': 'The number of the entrance fee, as people and bank transfers name it.',
  'entranceFees.number': 'The number of the entrance fee, as people and bank transfers name it.',
};

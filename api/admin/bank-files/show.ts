import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { BankFile, bankFileView, oneBankFile, requireBankFile } from './bank-file.view';

export const showBankFile = endpoint({
  id: 'getBankFile',
  returns: 'The file',
  method: 'get',
  path: '/admin/bank-files/:id',
  summary: 'One file for the bank',
  description: 'With how many of its transfers have arrived.',
  tag: 'Administration: bank files',
  auth: 'admin',
  limit: perMinute(200),

  params: oneBankFile,
  success: 200,
  data: BankFile,
  errors: { BANK_FILE_NOT_FOUND: 404 },

  handle: async ({ params: { id } }, { db }) => bankFileView(await requireBankFile(db, id)),
});

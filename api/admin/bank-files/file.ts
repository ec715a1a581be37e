import { bankName } from '../../../workflows/commerce/payout/bank-file/bank-file.rules';
import { FileBytes } from '../../http/answer/files/file';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { actorOf } from '../actor';
import { oneBankFile } from './bank-file.view';
import { readBankFile } from './read.command';

export const saveBankFile = endpoint({
  id: 'saveBankFile',
  returns: 'The file itself',
  method: 'get',
  path: '/admin/bank-files/:id/file',
  summary: 'Save a file for the bank',
  description:
    'The same bytes each time, until its last transfer has ended, by a report of the bank or because the file was withdrawn: ALREADY_SETTLED. Each save is in the audit log, because the file says where money goes.',
  tag: 'Administration: bank files',
  auth: 'admin',
  limit: perMinute(200),

  params: oneBankFile,
  success: 200,
  produces: ['application/xml'],
  data: FileBytes,
  errors: { BANK_FILE_NOT_FOUND: 404, ALREADY_SETTLED: 409, PROVIDER_NOT_CONFIGURED: 503 },

  async handle({ params: { id } }, context) {
    const { bytes, madeAt } = await readBankFile(context.db, id, actorOf(context));
    const day = madeAt.toISOString().slice(0, 10);
    return { type: 'application/xml' as const, bytes, fileName: `transfers-${day}-${bankName(id)}.xml` };
  },
});

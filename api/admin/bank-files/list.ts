import { z } from 'zod';
import { countCollected, listBankFiles } from '../../../db/commerce/bank-file/bank-file.reads';
import { paging, windowOf } from '../../http/answer/paging';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { BankFile, bankFileView } from './bank-file.view';

export const listBankFilesEndpoint = endpoint({
  id: 'listBankFiles',
  returns: 'One page of files, and how many transfers wait for the next',
  method: 'get',
  path: '/admin/bank-files',
  summary: 'List files for the bank',
  description: 'Newest first.',
  tag: 'Administration: bank files',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object(paging(100)),
  success: 200,
  paginated: true,
  data: z.object({
    files: z.array(BankFile).describe('One page of files for the bank, newest first.'),
    collected: z.int().meta({ description: 'Transfers that are in no file yet.' }),
  }),
  errors: {},

  async handle({ query: { page, pageSize } }, { db, reply }) {
    const { total, files } = await listBankFiles(db, windowOf({ page, pageSize }));
    reply.page({ total, page, pageSize });
    return { files: files.map(bankFileView), collected: await countCollected(db) };
  },
});

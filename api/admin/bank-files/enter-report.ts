import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { actorOf } from '../actor';
import { BankFile, bankFileView, oneBankFile, requireBankFile } from './bank-file.view';
import { wakeProcesses } from './ending/wake-processes';
import { enterReport } from './enter-report.command';

/** A report on the most transfers of a file, in any bank's words, is smaller. */
const MOST_BYTES = 2 * 1024 * 1024;

const Contradiction = z
  .object({
    transfer: z.string().meta({ description: 'What the transfer is called in the file.' }),
    status: z
      .enum(['COLLECTED', 'IN_FILE', 'ARRIVED', 'REFUSED'])
      .meta({ description: 'How it has ended here.' }),
    reported: z.enum(['ARRIVED', 'REFUSED']).meta({ description: 'What the bank says now.' }),
  })
  .meta({ id: 'BankReportContradiction' });

export const enterBankReport = endpoint({
  id: 'enterBankReport',
  returns: 'The file after the report',
  method: 'post',
  path: '/admin/bank-files/:id/status-report',
  summary: 'Enter the report of the bank',
  description:
    'A payment status report (pain.002) in the field `file`. ACSC and ACCC settle transfers, RJCT and CANC refuse them, but not as duplicates of what the bank has already, nor all at once without a code of the reason; every other status leaves them under way. A transfer that the report names has its own status only. A report is applied whole or not at all, and may be entered again.',
  tag: 'Administration: bank files',
  auth: 'admin',
  limit: perMinute(30),
  idempotent: false,

  params: oneBankFile,
  upload: { field: 'file', maxBytes: MOST_BYTES },
  success: 200,
  data: BankFile.extend({
    changed: z.int().meta({ description: 'Transfers that this report has ended.' }),
    contradictions: z.array(Contradiction).meta({
      description:
        'Transfers that had ended otherwise. They are not changed; each is a difference with `bank-file` that stops payouts until it is resolved: look at it with the bank.',
    }),
  }).meta({ id: 'ReportedBankFile' }),
  errors: { BANK_FILE_NOT_FOUND: 404, FORBIDDEN: 403, INVALID_FILE_TYPE: 400, FILE_TOO_LARGE: 413 },

  async handle({ params: { id } }, context) {
    const { db, log, request } = context;
    const { arrived, refused, contradictions, subjects } = await enterReport(
      context,
      id,
      request.file,
      actorOf(context),
    );
    if (contradictions.length > 0)
      log.error({ bankFileId: id, contradictions }, 'the bank contradicts itself');
    await wakeProcesses(context, subjects);
    const file = await requireBankFile(db, id);
    return { ...bankFileView(file), changed: arrived + refused, contradictions };
  },
});

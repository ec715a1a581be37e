import { z } from 'zod';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { text } from '../../../http/request/fields';
import { actorOf } from '../../actor';
import { BankFile, bankFileView, oneBankFile, requireBankFile } from '../bank-file.view';
import { wakeProcesses } from './wake-processes';
import { withdrawFile } from './withdraw.command';

export const withdrawBankFile = endpoint({
  id: 'withdrawBankFile',
  returns: 'The file, of which the bank carries out nothing more',
  method: 'post',
  path: '/admin/bank-files/:id/withdraw',
  summary: 'Withdraw a file from the bank',
  description:
    'For a file that was never handed in, was lost, or that the bank has rejected as a whole without a report. Only once the bank has confirmed in writing that it will not carry it out: every transfer in it that the bank has not ended is refused for good, and what is paid out may then be sent again. By another administrator than the one who made the file: else FORBIDDEN with the reason SECOND_ADMINISTRATOR_REQUIRED. Nobody withdraws a file that pays them.',
  tag: 'Administration: bank files',
  auth: 'admin',
  limit: perMinute(5),

  params: oneBankFile,
  body: z.object({
    reason: text({ min: 3, max: 500 }).meta({
      description: 'What the bank has confirmed, and when; for the audit log.',
      example: 'The bank has confirmed by letter of 23 November that it never got the file.',
    }),
  }),
  success: 200,
  data: BankFile,
  errors: { BANK_FILE_NOT_FOUND: 404, FORBIDDEN: 403, ALREADY_SETTLED: 409 },

  async handle({ params: { id }, body: { reason } }, context) {
    await wakeProcesses(context, await withdrawFile(context, { id, reason }, actorOf(context)));
    return bankFileView(await requireBankFile(context.db, id));
  },
});

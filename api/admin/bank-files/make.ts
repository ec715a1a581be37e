import { z } from 'zod';
import { countCollected } from '../../../db/commerce/bank-file/bank-file.reads';
import { refusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { actorOf } from '../actor';
import { BankFile, bankFileView, requireBankFile } from './bank-file.view';
import { makeBankFile } from './make.command';

export const makeBankFileEndpoint = endpoint({
  id: 'makeBankFile',
  returns: 'The new file',
  method: 'post',
  path: '/admin/bank-files',
  summary: 'Make a file for the bank',
  description:
    'A credit transfer file (pain.001.001.09) of collected transfers: those of one currency, that of the oldest, at most 1,000, the oldest first. In euros it is a SEPA file. Each transfer is in one file only, so hand every file to the bank, once; one that the bank never got is withdrawn.',
  tag: 'Administration: bank files',
  auth: 'admin',
  limit: perMinute(5),
  atomic: true,

  success: 201,
  data: BankFile.extend({
    left: z.int().meta({
      description: 'Transfers that are in no file yet, of every currency: for the next files.',
    }),
    unreadable: z.int().meta({
      description: 'Transfers that were left out because the key that sealed where they go is missing.',
    }),
  }).meta({ id: 'MadeBankFile' }),
  errors: { PROVIDER_NOT_CONFIGURED: 503 },

  async handle(_, context) {
    const { db, bankFileDebtor, log } = context;
    if (bankFileDebtor === null)
      throw refusal('PROVIDER_NOT_CONFIGURED', 'The account that bank files pay from is not configured.');
    const { fileId } = await context.mint('fileId');
    const by = { ...actorOf(context), actorId: context.caller.id };
    let unreadable = 0;
    await makeBankFile(db, fileId, bankFileDebtor, by, (transferIds) => {
      unreadable = transferIds.length;
      log.error(
        { transferIds: transferIds.slice(0, MOST_LOGGED), unreadable },
        'transfers for the bank could not be opened',
      );
    });
    const file = bankFileView(await requireBankFile(db, fileId));
    return { ...file, left: await countCollected(db), unreadable };
  },
});

/** The most ids in one line of the log. */
const MOST_LOGGED = 100;

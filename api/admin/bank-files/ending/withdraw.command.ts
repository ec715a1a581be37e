import { audited } from '../../../../db/administration/audit/audit.writes';
import { endTransfers, lockTransfersOf } from '../../../../db/commerce/bank-file/bank-file-transfer.writes';
import { bankFileBy } from '../../../../db/commerce/bank-file/bank-file.reads';
import { lockBankFile } from '../../../../db/commerce/bank-file/bank-file.writes';
import type { TransferSubject } from '../../../../db/commerce/bank-file/transfer-subject.reads';
import { inTransaction } from '../../../../db/sql/transaction';
import { refusal, refusalOf } from '../../../../workflows/errors';
import type { Context } from '../../../http/handler-context';
import type { Actor } from '../../actor';
import { bankFileView, noSuchBankFile, requireBankFile } from '../bank-file.view';
import { requireMayEnd } from './may-end';

const WITHDRAWN = 'The file was withdrawn: the bank does not carry it out.';

/**
 * Refuses every transfer of a file that the bank has not ended; returns what they are of. Refused: BANK_FILE_NOT_FOUND;
 * FORBIDDEN for the administrator who made the file (SECOND_ADMINISTRATOR_REQUIRED) and for the owner of a transfer in it;
 * ALREADY_SETTLED when none is left. The answer is stored with it.
 */
export const withdrawFile = (
  { db, policy, conclude }: Pick<Context, 'db' | 'policy' | 'conclude'>,
  { id, reason }: { id: string; reason: string },
  by: Actor,
): Promise<TransferSubject[]> =>
  inTransaction(db, async (tx) => {
    const file = (await lockBankFile(tx, id)) ? await bankFileBy(tx, id) : null;
    if (!file) throw noSuchBankFile();
    if (file.madeBy === by.actorId) throw secondAdministratorRequired();
    const open = (await lockTransfersOf(tx, id)).filter(({ status }) => status === 'IN_FILE');
    if (open.length === 0)
      throw refusal(
        'ALREADY_SETTLED',
        'Every transfer of this file has ended: there is nothing to withdraw.',
      );
    const ends = open.map((transfer) => ({
      ...{ id: transfer.id, status: 'REFUSED' as const, refusedBecause: WITHDRAWN },
    }));
    const subjects = await requireMayEnd(tx, ends, by, policy);
    const at = new Date();
    const ended = await endTransfers(tx, ends, at);
    if (ended !== ends.length)
      throw new Error(`A withdrawal ends ${ends.length} transfers and ended ${ended}.`);
    await audited(
      tx,
      { ...by, at },
      'bank-file.withdraw',
      id,
      { underWay: open.length },
      { refused: ended, reason },
    );
    await conclude(tx, bankFileView(await requireBankFile(tx, id)));
    return subjects;
  });

const secondAdministratorRequired = (): Error =>
  refusalOf({
    code: 'FORBIDDEN',
    message: 'You have made this file, so another administrator has to withdraw it.',
    reason: 'SECOND_ADMINISTRATOR_REQUIRED',
  });

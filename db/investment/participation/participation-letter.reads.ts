import type { ParticipationLetterData } from '../../../workflows/investment/participation/participation.letters';
import { firstRow, type Db } from '../../sql/query';

type Addressee = ParticipationLetterData & { email: string };

/** The address of a participation's owner and the data of a mail about it; null when the account is erased. */
export const participationAddressee = (db: Db, participationId: string): Promise<Addressee | null> =>
  firstRow<Addressee>(
    db,
    `SELECT u.email, u.first_name, p.number, p.amount_minor, p.currency, p.matures_at, s.name AS strategy_name
     FROM participations p JOIN users u ON u.id = p.user_id AND u.erased_at IS NULL
       JOIN investment_strategies s ON s.id = p.strategy_id
     WHERE p.id = $1`,
    [participationId],
  );

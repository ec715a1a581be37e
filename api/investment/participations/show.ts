import { z } from 'zod';
import { participationDetail } from '../../../db/investment/participation/participation.reads';
import { transactionsOf } from '../../../db/investment/transaction/investment-transaction.reads';
import { refusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { MOST_TRANSACTIONS, ParticipationDetail, participationDetailView } from './participation-detail.view';
import { idOf } from '../../http/request/ids/id-of';

export const showParticipation = endpoint({
  id: 'getParticipation',
  returns: 'The participation with its transactions',
  method: 'get',
  path: '/investment/participations/:id',
  summary: 'Show one of your participations',
  description: 'With its figures now, its transactions, and what a withdrawal now would pay.',
  tag: 'Investment',
  auth: 'user',
  limit: perMinute(100),

  params: z.object({ id: idOf('participation') }),
  success: 200,
  data: ParticipationDetail,
  errors: { PARTICIPATION_NOT_FOUND: 404 },

  async handle({ params: { id } }, { db, caller }) {
    const now = new Date();
    const participation = await participationDetail(db, id, caller.id, now);
    if (!participation) throw refusal('PARTICIPATION_NOT_FOUND');
    const transactions = await transactionsOf(db, [id], MOST_TRANSACTIONS);
    return participationDetailView(participation, transactions, now);
  },
});

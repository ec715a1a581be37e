import type { FieldWords } from '../words';

const OF_LISTS = 'One page of commissions.';

/** Commissions, statements and ranks. */
export const commissionFields: FieldWords = {
  'AdjustCommissionResponse.adjustedAt': 'When it was adjusted.',
  'AdjustCommissionResponse.adjustedBy': 'The administrator who adjusted it.',
  'AdminCommission.careerPoints': 'Points that the sale brought.',
  'AdminCommission.grossAmount': 'What was computed, before withholding and adjustments.',
  'AdminCommission.levelDepth': 'Levels from the sale, whose sponsor is 1; null of a pool and a rank bonus.',
  'AdminCommission.maturesAt': 'From then on the daily job makes it available.',
  'AdminCommission.netAmount': 'After withholding and adjustments.',
  'AdminCommission.partner': 'The partner who earned it.',
  'AdminCommission.periodId':
    'The period of the pool, like weekly:2026-W47 or monthly:2026-11; null of any other.',
  'AdminCommission.processedAt': 'When its status last changed; null while it is PENDING from the beginning.',
  'AdminCommission.approvedBy':
    'The administrator who approved it before its time; else null, and always for the partner.',
  'AdminCommission.reversalOf': 'The commission of which this takes back a part; else null.',
  'AdminCommission.sourceId': 'The order, deposit, profit, entrance or pool run that it is of.',
  'AdminCommission.sourcePartner':
    'The sponsor of the sale, by first name and initial for the partner; null without one.',
  'AdminCommission.sourceType': 'The kind of what it is of.',
  'CommissionExplanation.adjustedAt': 'When it was adjusted.',
  'CommissionExplanation.adjustments': 'What administrators did to it, the oldest first.',
  'CommissionExplanation.commission': 'The commission as lists show it.',
  'CommissionExplanation.commissionId': 'The commission that takes this back.',
  'CommissionExplanation.formula': 'The computation in figures.',
  'CommissionExplanation.heldBy':
    'What keeps it PENDING after `notBefore`, as things are now; null: nothing.',
  'CommissionExplanation.inWords': 'The computation in words.',
  'CommissionExplanation.newAmount': 'The net amount after it.',
  'CommissionExplanation.notBefore': 'It does not become available before.',
  'CommissionExplanation.openRefundId':
    'A refund of its order that has to be decided and done first; else null.',
  'CommissionExplanation.parts': 'Each part, the oldest first.',
  'CommissionExplanation.previousAmount': 'The net amount before it.',
  'CommissionExplanation.programmeVersion': 'The version of the programme whose rates were used.',
  'CommissionExplanation.rank': 'The rank of the partner at that time.',
  'CommissionExplanation.rankCode': 'The code of the rank.',
  'CommissionExplanation.takenBack': 'What refunds have taken back of it.',
  'CommissionHistory.history': 'Every period of the time, the latest first.',
  'ListRankChangesResponse.history': 'The changes of rank, the newest first.',
  'CommissionStatement.commissionId': 'The commission that it is about; else null.',
  'CommissionStatement.date': 'When it was booked.',
  'CommissionSummary.byStatus': 'The sums of each status.',
  'CurrentRank.achievedAt': 'When it was reached.',
  'CurrentRank.benefits': 'What the rank brings.',
  'CurrentRank.highestRank': 'The highest rank that you had.',
  'ListAllCommissionsResponse.commissions': OF_LISTS,
  'ListCommissionsResponse.commissions': OF_LISTS,
  'ListRankChangesResponse.changes': 'One page of changes of rank.',
  'RankProgress.achieved': 'What you have of it.',
  'RankProgress.required': 'What the next rank needs.',
  'ratesMet.level': 'The place of the rank, from 1.',
  'ratesMet.rate': 'The rate of that rank, in percent.',
  'CommissionExplanation.action': 'What was done to it, such as HOLD.',
  'AdjustCommissionRequest.action': 'What to do with it.',
  'CommissionStatement.period': 'The month in UTC, such as 2026-11.',
};

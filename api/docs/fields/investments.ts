import type { FieldWords } from './words';

/** The schemas that show or make a participation. */
const PARTICIPATIONS = [
  'AdminParticipation',
  'AdminParticipationDetail',
  'OpenedParticipation',
  'Participation',
  'ParticipationDetail',
] as const;

/** Fields whose names mean something else elsewhere. */
const OF_PARTICIPATIONS: FieldWords = {
  amount: 'The principal that was put in.',
  endedAt: 'When it matured, was withdrawn or was cancelled; null before.',
  options: 'What happens at its maturity.',
  returns: 'What it has earned, and what is expected.',
  status: 'Where it stands.',
  strategy: 'The strategy that it is of.',
  transactions: 'What was put in, earned and taken out.',
  user: 'The user whose participation it is.',
  withdrawal: 'What a withdrawal now would cost and pay.',
};

const ofParticipations = PARTICIPATIONS.flatMap((schema) =>
  Object.entries(OF_PARTICIPATIONS).map(([field, text]) => [`${schema}.${field}`, text] as const),
);

const NUMBER = 'The number of the participation, as people and bank transfers name it.';
const PART = 'Percent of the principal that runs.';

/** Participations of all kinds of answers, withdrawals and what is withdrawn. */
const participationFields: FieldWords = {
  ...Object.fromEntries(ofParticipations),
  'InvestRequest.options': 'What happens at its maturity; without any, all is paid out.',
  'InvestRequest.strategyId': 'The strategy to invest in.',
  'PaymentRefund.number': NUMBER,
  'PaymentRefundToSend.number': NUMBER,
  'RequestedWithdrawal.principal': 'What was put in, as far as it is left.',
  'WithdrawalToSend.participation': 'The participation that was withdrawn.',
  'AdminWithdrawal.participation': 'The participation that was withdrawn.',
  'expectedReturn.expected': 'At the expected rate.',
  'expectedReturn.max': 'At the highest rate.',
  'expectedReturn.min': 'At the lowest rate; below zero for a loss.',
  'investment.amount': 'The principal that was put in.',
  'investmentWithdrawals.principal': 'What was put in, as far as it was left.',
  'investmentWithdrawals.returns': 'What was earned; below zero after a loss.',
  'investmentWithdrawals.penalty': 'What was kept for withdrawing early.',
  'investmentWithdrawals.netAmount': 'What was paid out.',
  amounts: 'What is taken out, and what is paid of it.',
  autoReinvest: 'Whether the principal is invested again at maturity.',
  compounding: 'Whether the returns are invested again with the principal.',
  dates: 'When it began and when it ends.',
  durationDays: 'The days from start to maturity.',
  earned: 'Distributed profits less losses.',
  estimatedCompletion: 'The day on which the money should have arrived.',
  investment: 'The principal, and what it is worth now.',
  investmentWithdrawals: 'Your withdrawals of participations, newest first.',
  lockPeriodEndsAt: 'Until then a withdrawal costs the penalty or is refused; null before it runs.',
  maturityDate: 'When it matures; null before it runs.',
  netAmount: 'What is paid out; never below zero.',
  number: NUMBER,
  participation: 'The participation that it is about; null if it is about none.',
  participationId: 'The participation that it is about.',
  participationNumber: 'The number of the participation behind it; null if there is none.',
  participationRefunds: 'Money that goes back of payments for participations.',
  participations: 'Participations, newest first.',
  paymentExpiresAt: 'Until when it waits for its payment; null where it does not.',
  paymentReceivedAt: 'When it was paid; null before.',
  penalty: 'What is kept for withdrawing early.',
  penaltyPercentage:
    'The part of the principal that a withdrawal now would cost, in percent; null without one.',
  principal: 'What was put in.',
  refusedBecause: 'Why the transfer was refused; null if it was not.',
  returns: 'What was earned, less losses.',
  startDate: 'When it began to run; null before.',
  strategy: 'The strategy that it is of.',
  strategyId: 'The strategy that it is of.',
  strategyName: 'The name of the strategy.',
  withdrawal: 'What a withdrawal now would cost and pay.',
  withdrawalId: 'The withdrawal that was requested.',
  withdrawals: 'One page of withdrawals.',
  withdrawnAt: 'When it was withdrawn; null if it was not.',
};

/** Portfolios and their course. */
const portfolioFields: FieldWords = {
  'Portfolio.amount': 'The principal that runs there.',
  'Portfolio.categoryId': 'The category of strategies.',
  'Portfolio.categoryName': 'The name of the category.',
  'Portfolio.currentValue': 'What the participations that run are worth.',
  'Portfolio.level': 'The risk of the strategies.',
  'Portfolio.percentage': PART,
  'Portfolio.performance': 'What all of it brought.',
  'Portfolio.summary': 'The figures of all participations.',
  'byStrategy.returns': 'What was earned or lost in the period.',
  'byStrategy.percentageReturn': '`returns` in percent of what was there and was put in.',
  'timeline.date': 'The day, in UTC.',
  'transactions.date': 'When it was entered.',
  'StrategyResult.return': 'Percent of what was invested; below zero for a loss.',
  allocation: 'How the principal that runs is spread.',
  bestPerforming: 'The strategy with the highest return; null without any.',
  byCategory: 'By category of strategies.',
  byRiskLevel: 'By risk of strategies.',
  byStrategy: 'By strategy.',
  endValue: 'The value at the end of the period.',
  metrics: 'The figures of the period.',
  period: 'The time that is shown, until now.',
  periodEnd: 'The end of the period: now.',
  periodStart: 'The beginning of the period.',
  startValue: 'The value at the beginning of the period.',
  timeline: 'The course in points, oldest first.',
  worstPerforming: 'The strategy with the lowest return; null without any.',
};

/** Reports of providers, and how matters stand with them. */
const reportFields: FieldWords = {
  'ProviderStanding.accepted': 'How many users it accepted.',
  'ProviderStanding.refused': 'How many users it did not accept.',
  'ProviderStanding.code': 'The code of the provider.',
  'ProviderStanding.countedAt': 'When the debt was added up.',
  'ProviderStanding.endedAt': 'When the push ended; null while it runs.',
  'ProviderStanding.slot': 'The time of the plan for which it was made.',
  'ProviderStanding.startedAt': 'When the push began.',
  'WebhookEvent.attempts': 'How often it was tried to apply the report.',
  'WebhookEvent.receivedAt': 'When the report was stored.',
  'WebhookEvent.processedAt': 'When it was applied, ignored or given up; null before.',
  'ListWebhookEventsResponse.events': 'One page of reports.',
  'ListInvestmentDifferencesResponse.providers': 'How matters stand with each provider, by code.',
  'KycDetail.providerReports': 'What investment providers have reported of the user’s identity.',
  differences: 'One page of differences.',
  foundAt: 'When it was seen first.',
  lastSeenAt: 'When it was seen last.',
  providerCode: 'The code of the provider.',
  providerReports: 'What investment providers have reported of your identity.',
  receivedAt: 'When it came.',
  'participations.options': 'What happens at its maturity.',
  'participations.returns': 'What it has earned, and what is expected.',
  'investmentWithdrawals.endedAt': 'When it was paid or refused; null before.',
};

export const investmentFields: FieldWords = { ...participationFields, ...portfolioFields, ...reportFields };

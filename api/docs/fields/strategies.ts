import type { FieldWords } from './words';

/** The schemas that show or take a whole strategy. */
const STRATEGIES = [
  'AdminStrategyDetail',
  'CreateStrategyRequest',
  'Strategy',
  'StrategyDetail',
  'UpdateStrategyRequest',
] as const;

/** Fields whose names mean something else elsewhere. */
const OF_STRATEGIES: FieldWords = {
  careerPointsPercentage: 'Percent of an investment that counts as career points of partners.',
  category: 'The category that the strategy is in.',
  categoryId: 'The category of the strategy.',
  commissionPercentage: 'Percent of an investment from which commissions of partners are paid.',
  duration: 'For how many days money can be put into it.',
  investment: 'How much can be put into it.',
  popularity: 'How many people took part, and with how much.',
  terms: 'What its participations may do.',
};

const ofStrategies = STRATEGIES.flatMap((schema) =>
  Object.entries(OF_STRATEGIES).map(([field, text]) => [`${schema}.${field}`, text] as const),
);

/** Strategies and their categories. */
export const strategyFields: FieldWords = {
  ...Object.fromEntries(ofStrategies),
  activeParticipations: 'Participations that run.',
  automaticReinvestment: 'True if a participation can be put into the strategy again when it matures.',
  compoundingAvailable: 'True if what is earned can be put in again with the principal.',
  documents: 'Documents in their order.',
  earlyWithdrawalAllowed: 'True if money can be taken out before the end.',
  'duration.maxDays': 'The longest duration, in days.',
  'duration.minDays': 'The shortest duration, in days.',
  historicalReturns:
    'Its returns by month: at most 24 that have ended, the oldest first. Computed once a day.',
  'historicalReturns.period': 'A month (UTC) in which money was invested, such as 2026-03.',
  'historicalReturns.return':
    'Distributed profits over the average principal, in percent; below zero for a loss.',
  'investment.maxAmount': 'The most for one participation; null without a maximum.',
  'investment.minAmount': 'The least for one participation.',
  'investment.totalCapacity': 'The most for all participations together; null without a limit.',
  lockPeriodDays: 'For so many days a withdrawal costs the penalty, or is refused without one.',
  performance: 'What it brought in the past, which promises nothing.',
  'popularity.totalInvested': 'The principal of all participations that ever began.',
  'popularity.totalParticipants': 'People who ever took part.',
  'returnRange.max': 'The highest annual rate, in percent.',
  'returnRange.min': 'The lowest annual rate, in percent.',
  returnRate: 'Annual rates in percent, over 365 days.',
  'returnRate.expected': 'The rate that is expected, in percent a year.',
  'returnRate.max': 'The highest rate, in percent a year.',
  'returnRate.min': 'The lowest rate, in percent a year; below zero for a loss.',
  riskDisclosure: 'What investors must know of the risk.',
  'riskLevelRange.max': 'The highest risk of its strategies.',
  'riskLevelRange.min': 'The lowest risk of its strategies.',
  strategies: 'One page of strategies.',
  strategiesCount: 'Strategies in it, of any status.',
  'documents.url': 'The URL of the document.',
  'AddStrategyDocumentResponse.url': 'The URL of the document.',
};

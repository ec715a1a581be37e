import type { OperationWords } from './words';

/** Participations as their owners and administrators read them, and portfolios. */
export const portfolioOperations: OperationWords = {
  'GET /investment/participations': [
    'listParticipations',
    'One page of your participations, and the figures of all that fit',
  ],
  'GET /investment/participations/:id': [
    'getParticipation',
    'The participation with its transactions',
    'With its figures now, its transactions, and what a withdrawal now would pay.',
  ],
  'GET /investment/portfolio': ['getPortfolio', 'The portfolio'],
  'GET /investment/portfolio/performance': ['getPortfolioPerformance', 'The course of the portfolio'],
  'GET /admin/participations': ['listAllParticipations', 'One page of participations'],
  'GET /admin/participations/:id': [
    'getAnyParticipation',
    'The participation with its owner and its processes',
  ],
  'POST /admin/participations/:id/cancel': ['cancelParticipation', 'It is cancelled'],
};

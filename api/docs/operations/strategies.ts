import type { OperationWords } from './words';

/** Strategies, for visitors and administrators. */
export const strategyOperations: OperationWords = {
  'GET /investment/strategies': ['listStrategies', 'One page of strategies'],
  'GET /investment/strategies/:id': ['getStrategy', 'The strategy'],
  'GET /investment/categories': ['listInvestmentCategories', 'The categories of strategies'],
  'GET /investment/strategies/categories': ['listStrategyCategories', 'The categories of strategies'],
  'GET /admin/investment-categories': [
    'listAllInvestmentCategories',
    'Every category of strategies, by name',
    'Also those that have no strategy.',
  ],
  'POST /admin/investment-categories': [
    'createInvestmentCategory',
    'The new category',
    'Without a slug, one is made from the name. At most 200 categories.',
  ],
  'PATCH /admin/investment-categories/:id': ['updateInvestmentCategory', 'The category as it is now'],
  'GET /admin/strategies': ['listAllStrategies', 'One page of strategies with their figures'],
  'POST /admin/strategies': ['createStrategy', 'The new strategy'],
  'GET /admin/strategies/:id': ['getAnyStrategy', 'The strategy with every field'],
  'PATCH /admin/strategies/:id': ['updateStrategy', 'The strategy as it is now'],
  'POST /admin/strategies/:id/image': ['setStrategyImage', 'The new image'],
  'DELETE /admin/strategies/:id/image': [
    'deleteStrategyImage',
    'The strategy that has no image any more',
    'Its file is deleted, too.',
  ],
  'POST /admin/strategies/:id/documents': ['addStrategyDocument', 'The new document'],
  'DELETE /admin/strategies/:id/documents/:documentId': [
    'deleteStrategyDocument',
    'The document that was removed',
    'Its file is deleted, too.',
  ],
};

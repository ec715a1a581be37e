import type { OperationWords } from '../words';

/** The leadership pools. */
export const poolOperations: OperationWords = {
  'GET /admin/pools': ['listPools', 'One page of runs'],
  'GET /admin/pools/:id': ['getPool', 'The run and one page of the figures of its partners'],
  'GET /admin/pools/:id/export': ['exportPool', 'The figures of its partners as CSV'],
  'POST /admin/pools/preview': ['previewPool', 'What a run would compute now'],
};

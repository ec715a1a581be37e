import { changeStrategyEndpoint } from './change';
import { createStrategyEndpoint } from './create';
import { addStrategyDocumentEndpoint } from './documents/add';
import { removeStrategyDocument } from './documents/remove';
import { removeStrategyImage } from './image/remove';
import { setStrategyImage } from './image/set';
import { listStrategiesForAdmin } from './list';
import { showStrategyForAdmin } from './show';

export const adminStrategyEndpoints = [
  listStrategiesForAdmin,
  createStrategyEndpoint,
  showStrategyForAdmin,
  changeStrategyEndpoint,
  setStrategyImage,
  removeStrategyImage,
  addStrategyDocumentEndpoint,
  removeStrategyDocument,
];

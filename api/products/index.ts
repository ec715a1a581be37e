import { listProductsEndpoint } from './list';
import { reviewEndpoints } from './reviews';
import { showProductEndpoint } from './show';

export const productEndpoints = [listProductsEndpoint, showProductEndpoint, ...reviewEndpoints];

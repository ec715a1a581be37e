import { listProductsEndpoint } from './list';
import { reviewEndpoints } from './reviews';
import { showProduct } from './show';

export const productEndpoints = [listProductsEndpoint, showProduct, ...reviewEndpoints];

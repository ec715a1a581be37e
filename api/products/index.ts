import { listProductsEndpoint } from './list';
import { showProductEndpoint } from './show';

export const productEndpoints = [listProductsEndpoint, showProductEndpoint];

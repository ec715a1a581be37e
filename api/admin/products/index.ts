import { changeProductEndpoint } from './change';
import { createProductEndpoint } from './create';
import { exportProducts } from './export';
import { productImageEndpoints } from './images';
import { importProducts } from './import';
import { listProductsForAdmin } from './list';
import { removeProduct } from './remove';
import { listStockMovements } from './stock-movements';
import { productVariantEndpoints } from './variants';

export const adminProductEndpoints = [
  listProductsForAdmin,
  createProductEndpoint,
  exportProducts,
  importProducts,
  changeProductEndpoint,
  removeProduct,
  listStockMovements,
  ...productImageEndpoints,
  ...productVariantEndpoints,
];

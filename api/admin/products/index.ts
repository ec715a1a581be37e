import { changeProductEndpoint } from './change';
import { createProductEndpoint } from './create';
import { exportProducts } from './file/export';
import { importProducts } from './file/import';
import { productImageEndpoints } from './images';
import { listProductsForAdmin } from './list';
import { removeProduct } from './remove';
import { showProductForAdmin } from './sheet/show';
import { listStockMovements } from './stock-movements/list';
import { productVariantEndpoints } from './variants';

export const adminProductEndpoints = [
  listProductsForAdmin,
  createProductEndpoint,
  exportProducts,
  importProducts,
  showProductForAdmin,
  changeProductEndpoint,
  removeProduct,
  listStockMovements,
  ...productImageEndpoints,
  ...productVariantEndpoints,
];

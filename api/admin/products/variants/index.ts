import { addProductVariant } from './add';
import { changeProductVariant } from './change';
import { removeProductVariant } from './remove';

export const productVariantEndpoints = [addProductVariant, changeProductVariant, removeProductVariant];

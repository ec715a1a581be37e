import { addProductImage } from './add';
import { changeProductImage } from './change';
import { removeProductImage } from './remove';

export const productImageEndpoints = [addProductImage, changeProductImage, removeProductImage];

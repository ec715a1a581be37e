import { addMyAddress } from './add';
import { changeMyAddress } from './change';
import { listAddresses } from './list';
import { removeMyAddress } from './remove';

export const addressEndpoints = [listAddresses, addMyAddress, changeMyAddress, removeMyAddress];

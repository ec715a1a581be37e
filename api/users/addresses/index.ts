import { addMyAddress } from './add';
import { listAddresses } from './list';

export const addressEndpoints = [listAddresses, addMyAddress];

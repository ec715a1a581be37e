import { adminEndpoints } from './admin';
import { authEndpoints } from './auth';
import { cartEndpoints } from './cart';
import { categoryEndpoints } from './categories';
import type { Endpoint } from './http/endpoint';
import { investmentEndpoints } from './investment';
import { kycDocumentEndpoints } from './kyc/documents';
import { mlmEndpoints } from './mlm';
import { orderEndpoints } from './orders';
import { paymentEndpoints } from './payments';
import { productEndpoints } from './products';
import { regionEndpoints } from './regions';
import { shippingEndpoints } from './shipping';
import { usersEndpoints } from './users';

/** Every endpoint below /api/v1: the list that is served, limited, documented and tested. */
export const endpoints: readonly Endpoint[] = [
  ...authEndpoints,
  ...usersEndpoints,
  ...kycDocumentEndpoints,
  ...regionEndpoints,
  ...paymentEndpoints,
  ...productEndpoints,
  ...categoryEndpoints,
  ...cartEndpoints,
  ...orderEndpoints,
  ...shippingEndpoints,
  ...investmentEndpoints,
  ...mlmEndpoints,
  ...adminEndpoints,
];

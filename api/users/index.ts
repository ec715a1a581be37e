import { addressEndpoints } from './addresses';

export const usersEndpoints = [...addressEndpoints];

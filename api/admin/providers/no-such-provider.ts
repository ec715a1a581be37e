import { refusal } from '../../../workflows/errors';

/** The refusal of a code that no provider has: PROVIDER_NOT_FOUND. */
export const noSuchProvider = () => refusal('PROVIDER_NOT_FOUND');

import { z } from 'zod';
import { asPostalCode, isPostalCode } from '../../../workflows/commerce/shipping/postal-code.rules';

/** A postal code, '' in countries that have none; whether its country has it, `withItsPostalCode` checks. */
export const postalCode = () => z.string().overwrite(asPostalCode).max(20);

/** The message about a postal code that its country does not have. */
export const NO_POSTAL_CODE = 'is not a postal code of this country';

/** For `refine` of an address: its country has this postal code. */
export const withItsPostalCode = [
  (address: { country: string; postalCode: string }): boolean =>
    isPostalCode(address.country, address.postalCode),
  { path: ['postalCode'] as string[], message: NO_POSTAL_CODE },
] as const;

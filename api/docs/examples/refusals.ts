import { MESSAGES, refusalIn, type ErrorCode, type RefusalDetails } from '../../../workflows/errors';
import type { Endpoint, RequestInput } from '../../http/endpoint';
import { validated } from '../../http/validation/validation';
import { pathExample } from './requests';

/** A refusal as callers get it: the message, and the fields that it is about. */
interface RefusalExample {
  message: string;
  details?: RefusalDetails;
}

/** The details of codes that name the same field wherever they are refused. */
const DETAILS: Partial<Record<ErrorCode, RefusalDetails>> = {
  ALREADY_CLAIMED: { assignedTo: ['ada@example.com'] },
  AMOUNT_MISMATCH: { amount: ['must be 30.00 USD'] },
  INVALID_ADDRESS: { billingAddressId: ['is not one of your addresses'] },
  INVALID_DESTINATION: { 'destination.country': ['is not a country that we ship to'] },
  INVALID_FILE_TYPE: { file: ['cannot be decoded'] },
  INVALID_REFERRAL_CODE: { referralCode: ['is not a known referral code'] },
  INVALID_SHIPPING_METHOD: { shippingMethodId: ['is not available for this address'] },
  ITEMS_UNAVAILABLE: { items: ['KETTLE-1L'] },
  PASSWORD_MISMATCH: { confirmPassword: ['does not match the password'] },
  PASSWORD_RECENTLY_USED: { password: ['was used recently'] },
  PASSWORD_TOO_WEAK: { password: ['is easy to guess'] },
  PRICE_CHANGED: { items: ['KETTLE-1L'] },
  SKU_ALREADY_EXISTS: { sku: ['belongs to another product or variant'] },
};

/** A refusal of the endpoint with this code: what its contract says to an incomplete request, else that of the code. */
export function refusalExample(endpoint: Endpoint, code: ErrorCode): RefusalExample {
  const details = DETAILS[code];
  const usual = { message: MESSAGES[code], ...(details && { details }) };
  return (code === 'VALIDATION_ERROR' ? invalidRequest(endpoint) : null) ?? usual;
}

/** The contract's answer to a request that lacks everything or names nothing; null if it accepts that. */
function invalidRequest(endpoint: Endpoint): RefusalExample | null {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const params = Object.fromEntries(names.map((name) => [name, pathExample(endpoint, name)]));
  const unknown = Object.fromEntries(names.map((name) => [name, 'x']));
  const incomplete: readonly RequestInput[] = [
    { params, query: {}, body: {} },
    { params, query: { page: '0', status: 'x' }, body: {} },
    { params: unknown, query: {}, body: {} },
  ];
  for (const input of incomplete) {
    const refused = endpoint.raw ? null : refusalOf(endpoint, input);
    if (refused) return refused;
  }
  return null;
}

function refusalOf(endpoint: Endpoint, input: RequestInput): RefusalExample | null {
  try {
    validated(endpoint, input);
    return null;
  } catch (error) {
    const refused = refusalIn(error);
    return refused && { message: refused.message, ...(refused.details && { details: refused.details }) };
  }
}

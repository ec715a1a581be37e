import { StandardSecrets, WebAddress, type ProviderVariables } from '../../variables';

/**
 * The secrets of the sandbox's reports: the first signs, all are accepted. To rotate, append the new one everywhere, move
 * it to the front, and drop the old one when the links that it has signed have expired.
 */
const SANDBOX_SECRET = StandardSecrets;

export const sandboxVariables = {
  api: { SANDBOX_SECRET },
  worker: {
    SANDBOX_SECRET,
    /** The API's address for the sandbox, where a worker cannot use PUBLIC_URL. */
    SANDBOX_WEBHOOK_URL: WebAddress.optional(),
  },
} satisfies ProviderVariables;

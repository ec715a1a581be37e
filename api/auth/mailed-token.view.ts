import { z } from 'zod';

/** The request field of a mailed token. Any form is accepted; an unknown token is refused later. */
export const mailedToken = () =>
  z.string().trim().min(1).max(200).meta({ example: '1c5a3ff0-2b0c-4a0e-9d0f-5b1d2a7e6c11', pattern: '\\S' });

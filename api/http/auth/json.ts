import { z } from 'zod';

/** JSON in a variable; what is not JSON is a configuration error like any other. */
export const json = z.string().transform((text, ctx): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    ctx.addIssue({ code: 'custom', message: 'must be JSON' });
    return z.NEVER;
  }
});

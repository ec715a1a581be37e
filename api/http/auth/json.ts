import { z } from 'zod';

/** JSON in a variable; invalid JSON is reported like any other configuration error. */
export const json = z.string().transform((text, ctx): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    ctx.addIssue({ code: 'custom', message: 'must be JSON' });
    return z.NEVER;
  }
});

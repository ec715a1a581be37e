import { z } from 'zod';

/** A user as lists for administrators name them. */
export const Person = z
  .object({ id: z.uuid(), email: z.string(), name: z.string() })
  .meta({ id: 'UserLink', description: 'A user, as lists name them.' });

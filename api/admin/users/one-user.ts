import { z } from 'zod';
import { uuid } from '../../http/request/fields';

/** The path parameters of endpoints about one user. */
export const oneUser = z.object({ id: uuid() });

import { z } from 'zod';
import { refusal } from '../../../workflows/errors';
import { uuid } from '../../http/request/fields';

/** The path parameters of one partner. */
export const onePartner = z.object({ id: uuid() });

export const noSuchPartner = () => refusal('PARTNER_NOT_FOUND', 'No such partner.');

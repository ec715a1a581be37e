import { z } from 'zod';
import { refusal } from '../../../workflows/errors';
import { idOf } from '../../http/request/ids/id-of';

/** The path parameters of one partner. */
export const onePartner = (...states: readonly string[]) => z.object({ id: idOf('partner', ...states) });

export const noSuchPartner = () => refusal('PARTNER_NOT_FOUND');

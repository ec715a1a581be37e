import { z } from 'zod';
import { refusal } from '../../../workflows/errors';
import { uuid } from '../../http/request/fields';

export const addressParams = z.object({ id: uuid() });

/** Another's address is as good as none. */
export const noSuchAddress = () => refusal('ADDRESS_NOT_FOUND', 'You have no address of this id.');

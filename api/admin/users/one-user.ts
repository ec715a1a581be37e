import { z } from 'zod';
import { demo } from '../../http/request/ids/demo-ids';
import { idOf } from '../../http/request/ids/id-of';

/** The path parameters of endpoints about one user. */
export const oneUser = (...states: readonly string[]) =>
  z.object({ id: idOf('user', ...states).meta({ example: demo.member }) });

import { REGIONS } from '../../../workflows/identity/user/user.rules';
import { isUuid } from '../../../workflows/kit/values/uuid.rules';

/** The condition that a column is the id of a user, who is named by id or by the whole e-mail address. */
export const ofUser = (column: string, user: string, bind: (value: unknown) => string): string =>
  isUuid(user)
    ? `${column} = ${bind(user)}::uuid`
    : // An address can have an account in each region; naming them lets the key of users be read.
      `${column} IN (SELECT u.id FROM users u
         WHERE u.region = ANY (${bind(REGIONS)}) AND u.email = ${bind(user.toLowerCase())})`;

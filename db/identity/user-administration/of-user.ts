import type { Attributes } from 'sequelize';
import type { User } from '../user/user.model';

const REGIONS: readonly Attributes<User>['region'][] = ['EU', 'US', 'APAC'];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The condition that a column is the id of a user, who is named by id or by the whole e-mail address. */
export const ofUser = (column: string, user: string, bind: (value: unknown) => string): string =>
  UUID.test(user)
    ? `${column} = ${bind(user)}::uuid`
    : // An address can have an account in each region; naming them lets the key of users be read.
      `${column} IN (SELECT u.id FROM users u
         WHERE u.region = ANY (${bind(REGIONS)}) AND u.email = ${bind(user.toLowerCase())})`;

import { addressesOf } from '../../../db/identity/address/address.reads';
import { recentActivity, userDetail } from '../../../db/identity/user-administration/user-detail.reads';
import { notesAbout } from '../../../db/identity/user-administration/user-note.reads';
import { participationsOf } from '../../../db/investment/participation/participation.reads';
import { documentsOf } from '../../../db/kyc/document/document.reads';
import { verificationOfUser } from '../../../db/kyc/standing/of-user.reads';
import { PLATFORM_CURRENCY } from '../../../workflows/commerce/money.rules';
import { noSuchUser } from '../../../workflows/identity/user-administration/administrator-access';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { oneUser } from './one-user';
import { AdminUserDetail, adminUserDetailView, MOST_PARTICIPATIONS } from './user-detail.view';

const MOST_ACTIVITY = 20;
const MOST_NOTES = 100;

export const showUser = endpoint({
  id: 'getUser',
  returns: 'The user',
  method: 'get',
  path: '/admin/users/:id',
  summary: 'Show a user',
  description: `With the newest ${MOST_ACTIVITY} activities and changes of the user, and the newest ${MOST_NOTES} notes.`,
  tag: 'Administration: users',
  auth: 'admin',
  limit: perMinute(200),

  params: oneUser(),
  success: 200,
  data: AdminUserDetail,
  errors: { USER_NOT_FOUND: 404 },

  async handle({ params: { id } }, { db }) {
    const user = await userDetail(db, id, PLATFORM_CURRENCY);
    if (!user) throw noSuchUser();
    const [addresses, participations, activity, notes, verification] = await Promise.all([
      addressesOf(db, id),
      participationsOf(db, id, {}, { limit: MOST_PARTICIPATIONS, offset: 0 }),
      recentActivity(db, id, MOST_ACTIVITY),
      notesAbout(db, id, MOST_NOTES),
      verificationOfUser(db, id),
    ]);
    const documents = verification ? await documentsOf(db, verification.id) : [];
    return adminUserDetailView(user, { addresses, participations, activity, notes, verification, documents });
  },
});

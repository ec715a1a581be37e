import type { Response } from 'supertest';
import { execute, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { personalInfo } from '../../../support/builders/kyc/personal-info';
import { signIn } from '../../../support/builders/sign-in';
import type { World } from '../../../support/worlds/world';
import { picture } from '../pictures';

export type Applicant = Awaited<ReturnType<typeof applicant>>;
type Method = 'get' | 'post' | 'delete';

/** A user who verifies their identity over HTTP. */
export async function applicant(world: World) {
  const user = await make.user(world.db);
  const token = await signIn(world, user);
  const call = (method: Method, path: string, body?: object): Promise<Response> => {
    const request = world.http[method](`/api/v1${path}`).auth(token, { type: 'bearer' });
    return (body ? request.send(body) : request).then((answer) => answer);
  };
  const start = (info: object = {}, rest: object = {}): Promise<Response> =>
    call('post', '/users/kyc', { personalInfo: { ...personalInfo, ...info }, ...rest });
  const upload = async (
    type = 'PASSPORT',
    bytes?: Buffer,
    fields: Record<string, string> = {},
    {
      http = world.http,
      name = 'my passport.jpg',
    }: { http?: Pick<World['http'], 'post'>; name?: string } = {},
  ): Promise<Response> => {
    const request = http
      .post('/api/v1/kyc/documents')
      .auth(token, { type: 'bearer' })
      .field({ type, ...fields })
      .attach('file', bytes ?? (await picture('jpeg')), name);
    return request.then((answer) => answer);
  };
  const view = async () => (await call('get', '/users/kyc')).body.data;
  const held = () =>
    rows<{ id: string; type: string; fileBlob: string; thumbnailBlob: string | null }>(
      world.db,
      'SELECT id, type, file_blob, thumbnail_blob FROM kyc_documents WHERE user_id = $1 ORDER BY uploaded_at',
      [user.id],
    );
  const history = async (): Promise<string[]> => {
    const events = await rows<{ action: string }>(
      world.db,
      `SELECT h.action FROM kyc_history h JOIN kyc_verifications v ON v.id = h.kyc_id
        WHERE v.user_id = $1 ORDER BY h.at, h.id`,
      [user.id],
    );
    return events.map(({ action }) => action);
  };
  /** Brings the latest verification, and its user, into a state without a process. */
  const put = async (status: string, columns: Readonly<Record<string, unknown>> = {}) => {
    const set = { ...STATES[status], ...columns, status };
    const names = Object.keys(set);
    await execute(
      world.db,
      `UPDATE kyc_verifications SET ${names.map((name, i) => `${name} = $${i + 2}`).join(', ')}
        WHERE id = (SELECT id FROM kyc_verifications WHERE user_id = $1 ORDER BY created_at DESC LIMIT 1)`,
      [user.id, ...Object.values(set)],
    );
    const mirrored = ['EXPIRED', 'WITHDRAWN'].includes(status) ? 'NOT_STARTED' : status;
    await execute(
      world.db,
      'UPDATE users SET kyc_status = $2, kyc_level = coalesce($3, kyc_level) WHERE id = $1',
      [user.id, mirrored, status === 'APPROVED' ? (set as { level?: string }).level : null],
    );
  };
  return { user, token, call, start, upload, view, held, history, put };
}

const now = new Date();
const later = (days: number): Date => new Date(now.getTime() + days * 86_400_000);
const submitted = {
  submitted_at: now,
  first_submitted_at: now,
  submission_id: '0193b1f6-0000-7000-8000-000000000001',
};

/** The columns that the schema requires in each state. */
const STATES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  SUBMITTED: { ...submitted, due_at: later(2) },
  NEEDS_INFO: { ...submitted, due_at: later(7) },
  APPROVED: { ...submitted, due_at: null, decided_at: now, level: 'STANDARD', expires_at: later(730) },
  REJECTED: { ...submitted, due_at: null, decided_at: now, rejection_reason: 'DOCUMENT_BLURRY' },
  EXPIRED: { ...submitted, due_at: null, ended_at: now },
  WITHDRAWN: { due_at: null, ended_at: now },
};

export const refused = ({ status, body }: Response): unknown[] => [
  status,
  body.error?.code,
  ...(body.error?.reason ? [body.error.reason] : []),
];

import type { Change } from '../../db/administration/audit/audit.writes';
import type { Context } from '../http/endpoint';

/** The administrator of a change and their address, as the audit records them. */
export type Actor = Pick<Change, 'actorId' | 'clientAddress'>;

export const actorOf = ({ caller, request }: Pick<Context<'admin'>, 'caller' | 'request'>): Actor => ({
  actorId: caller.id,
  clientAddress: request.clientAddress,
});

import type { ChangedBy } from '../../db/administration/audit/audit.writes';
import type { Context } from '../http/handler-context';

/** The user who makes a change and their address: the part of an audit record that every change has. */
export type Actor = Omit<ChangedBy, 'at'>;

export const actorOf = ({ caller, request }: Pick<Context<'admin'>, 'caller' | 'request'>): Actor => ({
  actorId: caller.id,
  clientAddress: request.clientAddress,
});

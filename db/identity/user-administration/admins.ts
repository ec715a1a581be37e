import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import pino, { type DestinationStream } from 'pino';
import { v7 } from 'uuid';
import { requireAuditKeys } from '../../administration/audit/audit-keys.reads';
import { recordAudit } from '../../administration/audit/audit.writes';
import { letter } from '../../administration/outbox/letter';
import { enqueueMail } from '../../administration/outbox/outbox.writes';
import { databaseConfig } from '../../sql/config';
import { connect } from '../../sql/connection';
import {
  accountsNamed,
  administrators,
  lockAdministrator,
  lockStayingSuperAdmins,
  setRoles,
  type Administrator,
} from './super-admin.writes';
import { userChangeMessages } from '../../../workflows/identity/user-administration/user-change.letters';
import { logOptions } from '../../sql/log-options';
import { sealingKeys } from '../../sealing/config';
import { keysOf } from '../../sealing/keys-of';
import type { Db, Tx } from '../../sql/query';
import { StartRefused } from '../../program/start-guard';
import { inTransaction } from '../../sql/transaction';

const USAGE = `Who may do everything. NAME is an e-mail address or the id of an account.
  npm run admins -- list
  npm run admins -- grant NAME            gives the role SUPER_ADMIN to an active account
  npm run admins -- remove NAME [--admin] [--force]
                                          takes it away, with --admin the role ADMIN too; the last SUPER_ADMIN only with --force
`;

/** 0: done, or nothing to do; 1: refused; 2: unknown command, or the database was unreachable. */
export type ExitCode = 0 | 1 | 2;

/** The refusal of a command; its message is for the operator. */
class Refused extends Error {}

/**
 * Lists, appoints and removes SUPER_ADMINs for operators; the API changes none of them. Every change is mailed to the
 * account and audited without an actor, in its own transaction, and then logged. Only changes require the sealing keys.
 */
export async function manageAdministrators(
  args: readonly string[],
  write: (text: string) => void,
  log: DestinationStream = process.stderr,
): Promise<ExitCode> {
  const command = commandOf(args);
  if (!command) {
    write(USAGE);
    return 2;
  }
  try {
    const keys = command.verb === 'list' ? {} : { keys: sealingKeys() };
    const db = connect({ ...databaseConfig(), DATABASE_POOL_MAX: 2 }, 'admins', undefined, keys);
    try {
      const { text, change } = await run(db, command);
      if (change) logChange(db, change, log);
      write(text);
      return 0;
    } finally {
      await db.sequelize.close();
    }
  } catch (error) {
    write(`${(error as Error).message}\n`);
    return error instanceof Refused || error instanceof StartRefused ? 1 : 2;
  }
}

interface Command {
  verb: 'list' | 'grant' | 'remove';
  name: string;
  /** Makes `remove` take the role ADMIN away too. */
  admin: boolean;
  force: boolean;
}

function commandOf(args: readonly string[]): Command | null {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { admin: { type: 'boolean', default: false }, force: { type: 'boolean', default: false } },
    });
    const [verb, name, ...more] = positionals;
    if (more.length > 0 || ((values.admin || values.force) && verb !== 'remove')) return null;
    if (verb === 'list') return name === undefined ? { verb, name: '', ...values } : null;
    if (verb !== 'grant' && verb !== 'remove') return null;
    return name === undefined ? null : { verb, name, ...values };
  } catch {
    return null;
  }
}

/** The text for the operator, and the account's new roles if they changed. */
interface Outcome {
  text: string;
  change?: { userId: string; roles: readonly string[] };
}

async function run(db: Db, command: Command): Promise<Outcome> {
  const { verb, name } = command;
  if (verb === 'list')
    return { text: (await administrators(db)).map(lineOf).join('') || 'Nobody has ADMIN or SUPER_ADMIN.\n' };
  const [account, ...others] = await accountsNamed(db, name);
  if (!account) throw new Refused(`There is no account of ${name}.`);
  if (others.length > 0)
    throw new Refused(
      `${name} has several accounts; name one by its id:\n${[account, ...others].map(lineOf).join('')}`,
    );
  return inTransaction(db, async (tx) => {
    await requireAuditKeys(tx);
    return verb === 'grant' ? grant(tx, account.id) : remove(tx, account.id, command);
  });
}

const lineOf = ({ id, email, region, status, roles, lastLoginAt, deletionDueAt }: Administrator): string =>
  `${id}  ${region}  ${email}  ${status}${deletionDueAt ? ', to be deleted' : ''}  ${roles.join(',')}  ` +
  `last signed in: ${lastLoginAt?.toISOString() ?? 'never'}\n`;

async function grant(tx: Tx, userId: string): Promise<Outcome> {
  const account = await lockAdministrator(tx, userId);
  if (!account) throw new Refused(`The account ${userId} is gone.`);
  const { email, roles, status, deletionDueAt } = account;
  if (roles.includes('SUPER_ADMIN')) return { text: `${email} has the role SUPER_ADMIN already.\n` };
  if (status !== 'ACTIVE' || deletionDueAt !== null)
    throw new Refused(
      `${email} is ${deletionDueAt ? 'to be deleted' : status}: only an account in use gets the role.`,
    );
  const change = await changeRoles(tx, account, [...roles, 'SUPER_ADMIN']);
  return { text: `${email} has the role SUPER_ADMIN now.\n`, change };
}

async function remove(tx: Tx, userId: string, { admin, force }: Command): Promise<Outcome> {
  const staying = await lockStayingSuperAdmins(tx);
  const account = await lockAdministrator(tx, userId);
  const removed = admin ? ['ADMIN', 'SUPER_ADMIN'] : ['SUPER_ADMIN'];
  const words = removed.join(' or ');
  if (!account?.roles.some((role) => removed.includes(role)))
    return { text: `${account?.email ?? userId} does not have the role ${words}.\n` };
  const isLast = account.roles.includes('SUPER_ADMIN') && !staying.some((id) => id !== userId);
  if (isLast && !force)
    throw new Refused(
      `${account.email} is the last SUPER_ADMIN who can sign in: grant the role to somebody else first, or add --force.`,
    );
  const left = account.roles.filter((role) => !removed.includes(role));
  const change = await changeRoles(tx, account, left);
  return { text: `${account.email} does not have the role ${words} any more.\n`, change };
}

type Changed = NonNullable<Outcome['change']>;

async function changeRoles(tx: Tx, account: Administrator, roles: string[]): Promise<Changed> {
  const at = new Date();
  await setRoles(tx, account.id, roles, at);
  const event = `user-change:${v7()}`;
  for (const { name, to, content } of userChangeMessages(account, { ...account, roles }).mails)
    await enqueueMail(tx, { reference: `${event}:${name}`, to, ...letter(content) });
  await recordAudit(tx, {
    actorId: null,
    action: 'user.update',
    entityId: account.id,
    previous: { roles: account.roles },
    next: { roles, operator: operatorOf() },
    clientAddress: null,
    at,
  });
  return { userId: account.id, roles };
}

/** The operator's name on this machine; the uid where it has no name, as in a container. */
export function operatorOf(user: () => { username: string } = userInfo): string {
  try {
    return user().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

const FINGERPRINT_CHARACTERS = 32;

/** Logs one security event in the API's format, with the same fingerprint of the account. */
function logChange(db: Db, { userId, roles }: NonNullable<Outcome['change']>, log: DestinationStream): void {
  const account = keysOf(db)
    .fingerprint(Buffer.from(userId), 'security-event')
    .slice(0, FINGERPRINT_CHARACTERS);
  const event = { event: 'role-change', outcome: 'success', account, reason: roles.join() };
  pino(logOptions('admins', 'info'), log).info(
    { security: { ...event, operator: operatorOf() } },
    'security event',
  );
}

if (require.main === module)
  void manageAdministrators(process.argv.slice(2), (text) => process.stdout.write(text)).then((code) => {
    process.exitCode = code;
  });

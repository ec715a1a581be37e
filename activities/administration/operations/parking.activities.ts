import { activityInfo } from '@temporalio/activity';
import { park } from '../../../db/administration/operations/parking.writes';
import type { Db } from '../../../db/sql/query';
import type { ParkingActivities } from '../../../workflows/kit/parking.contract';
import { unparkProcess } from './unpark-process';

export const parkingActivities = ({ db }: { db: Db }): ParkingActivities => ({
  park: (parked) => park(db, { ...parked, runId: activityInfo().workflowExecution?.runId ?? null }),
  unpark: (command) => unparkProcess(db, command),
});

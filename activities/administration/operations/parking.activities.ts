import { park } from '../../../db/administration/operations/parking.writes';
import type { Db } from '../../../db/sql/query';
import type { ParkingActivities } from '../../../workflows/kit/parking.contract';
import { unparkProcess } from './unpark-process';

export const parkingActivities = ({ db }: { db: Db }): ParkingActivities => ({
  park: (parked) => park(db, parked),
  unpark: (command) => unparkProcess(db, command),
});

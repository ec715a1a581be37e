import { describeApi } from './docs/document';
import { endpoints } from './endpoints';

console.log(JSON.stringify(describeApi(endpoints), null, 2));

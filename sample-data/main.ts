import type { SampleAnswer } from '../src/shared/sample-data.ts';
import { openSampleData } from './sample-data.ts';

// Started by the app with the folder of a fresh profile; answers once, and ends with the app.
const [directory = ''] = process.argv.slice(2);
const answer: Promise<SampleAnswer> = openSampleData(directory).then(
  ({ ready }) => ready,
  (error: unknown) => ({ failed: String(error) }),
);
process.parentPort.postMessage(await answer);

import * as z from 'zod/mini';
import { serviceProfileSchema } from './settings.ts';

/** The sample-data program's answer: the service to use and what to watch, or why it failed. */
export const sampleAnswerSchema = z.union([
  z.strictObject({
    service: serviceProfileSchema,
    apiKey: z.string(),
    addresses: z.array(z.strictObject({ address: z.string(), label: z.string() })),
  }),
  z.strictObject({ failed: z.string() }),
]);

export type SampleAnswer = z.infer<typeof sampleAnswerSchema>;
export type SampleReady = Exclude<SampleAnswer, { failed: string }>;

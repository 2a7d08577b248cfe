import * as z from 'zod/mini';
import { serviceProfileSchema } from './settings.ts';

/** What the app is told by the program that makes its sample data: what to use and to watch, or why there is none. */
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

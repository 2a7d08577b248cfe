import { setImmediate } from 'node:timers/promises';
import { decodeAnswer, type DecodedAnswer } from '../shared/endpoints/decode-answer.ts';
import { findEndpoint } from '../shared/endpoints/registry.ts';
import { err, type Result } from '../shared/errors.ts';
import { forecastSample, forecastsOf } from '../shared/health/forecast.ts';
import type { DecodeThread } from './adapters/decode/decode-thread.ts';
import type { ActivityExportDeps } from './core/activity/export/export-service.ts';
import { exportText } from './core/activity/export/export-text.ts';
import type { DecodeAnswer } from './core/endpoints/service-client.ts';
import type { ReportReader } from './core/health/ask/ask-node.ts';
import { noReport } from './core/health/ask/no-report.ts';
import { readRpcAnswer } from './core/health/ask/node-rpc.ts';
import type { Forecaster } from './core/health/history/history-service.ts';
import { bodyValue, readReport } from './core/health/ask/report.ts';

/** Functions that parse untrusted texts, on the calling thread or the decoding thread. */
export const readers = {
  answer: (endpointId: string, text: string): Result<DecodedAnswer> => {
    const endpoint = findEndpoint(endpointId);
    return endpoint === undefined
      ? err({ code: 'bad-response', message: `There is no endpoint ${endpointId}.`, issues: [] })
      : decodeAnswer(endpoint, text);
  },
  report: readReport,
  rpcReport: readRpcAnswer,
  body: bodyValue,
  forecastSample,
  forecasts: forecastsOf,
  exportText,
};

export type ReadingThread = DecodeThread<typeof readers>;

/** Decodes answers of the service. Never rejects. */
export function answersBy(thread: ReadingThread): DecodeAnswer {
  return async ({ id }, text) => {
    // Pages may arrive in quick succession; this lets other work run in between.
    await setImmediate();
    return (await thread.call('answer', id, text)) ?? err(unread);
  };
}

/** Parses answers of nodes. Never rejects. */
export function reportsBy(thread: ReadingThread): ReportReader {
  return {
    report: async (...answer) => (await thread.call('report', ...answer)) ?? noReport(unread),
    rpcReport: async (...answer) => (await thread.call('rpcReport', ...answer)) ?? noReport(unread),
    body: (bodyText) => thread.call('body', bodyText),
  };
}

/** Fitting many points is slow, so it always runs in the thread. */
export function forecastsBy(thread: ReadingThread): Forecaster {
  return {
    sample: (atMs, reportJson) => thread.inThread('forecastSample', atMs, reportJson),
    forecasts: (samples) => thread.inThread('forecasts', samples),
  };
}

export function exportTextBy(thread: ReadingThread): ActivityExportDeps['textOf'] {
  return async (...page) => {
    const text = await thread.inThread('exportText', ...page);
    if (typeof text !== 'string') throw new Error('The rows could not be written as text.');
    return text;
  };
}

const unread = {
  code: 'bad-response' as const,
  message: 'The app couldn’t read the response in time. Try again in a moment.',
  issues: [],
};

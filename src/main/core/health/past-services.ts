import type { FileOpener, FileSaver, Clock, Random } from '../ports.ts';
import type { OpenRecording } from '../health-ports.ts';
import { IncidentService } from './incidents/incident-service.ts';
import type { NodeService } from './node/node-service.ts';
import { PastService, type Forecaster } from './past/past-service.ts';
import type { PastSources } from './past/past-source.ts';
import { RecordingService } from './recordings/recording-service.ts';

export interface PastServicesDeps {
  nodes: NodeService;
  thresholds: ConstructorParameters<typeof IncidentService>[0]['thresholds'];
  openRecording: OpenRecording;
  forecaster: Forecaster;
  saver: FileSaver;
  opener: FileOpener;
  clock: Clock;
  random: Random;
}

/** What is told of the past, of nodes that are watched and of recordings. */
export function createPastServices({ nodes, thresholds, ...deps }: PastServicesDeps) {
  const recordings = new RecordingService({ ...deps, findSource: (id) => sources.find(id) });
  const every = () => [...nodes.pastSources(), ...recordings.sources()];
  const sources: PastSources = {
    all: () => nodes.pastSources(),
    every,
    find: (id) => every().find((source) => source.id === id) ?? null,
  };
  const incidents = new IncidentService({ ...deps, sources, thresholds });
  nodes.onRecorded((poll) => incidents.pollRecorded(poll));
  return {
    past: new PastService(sources, deps.forecaster),
    incidents,
    recordings,
  };
}

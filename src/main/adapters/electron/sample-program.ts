import type { UtilityProcess } from 'electron';
import { AppFailure } from '../../../shared/errors.ts';
import { sampleAnswerSchema, type SampleReady } from '../../../shared/sample-data.ts';
import type { Log } from '../../core/ports.ts';

export interface SampleProgramOptions {
  /** Electron's `utilityProcess`; tests replace it. */
  host: { fork(file: string, args: string[], options: { serviceName: string }): Program };
  /** The built program (sample-data/main.ts). */
  file: string;
  /** The folder of a fresh profile, which it fills before it answers. */
  directory: string;
  log: Log;
  /** Called when it ends by itself after it was ready. */
  onEnded: () => void;
}

type Program = Pick<UtilityProcess, 'once' | 'kill'>;

/** The running program that makes the sample data and serves it until the app ends it. */
export class SampleProgram {
  /** Rejects, with words for the user, when the program ends before it is ready or answers something else. */
  readonly ready: Promise<SampleReady>;
  readonly #program: Program;
  #state: 'preparing' | 'ready' | 'over' = 'preparing';

  constructor({ host, file, directory, log, onEnded }: SampleProgramOptions) {
    this.#program = host.fork(file, [directory], { serviceName: 'Watchkeeper sample data' });
    this.ready = new Promise((resolve, reject) => {
      const fail = (reason: string) => {
        this.#state = 'over';
        const ref = log.error('sample.failed', new Error(reason));
        const message = `The app couldn’t prepare the sample data: ${reason}`;
        reject(new AppFailure({ code: 'internal', message, ref }));
      };
      this.#program.once('message', (told: unknown) => {
        const unexpected = { failed: 'its program returned an unexpected response.' };
        const answer = sampleAnswerSchema.safeParse(told).data ?? unexpected;
        if ('failed' in answer) return fail(answer.failed);
        this.#state = 'ready';
        resolve(answer);
      });
      this.#program.once('exit', (code) => {
        const before = this.#state;
        if (before === 'preparing') fail(`its program ended early (code ${code}).`);
        this.#state = 'over';
        if (before === 'ready') onEnded();
      });
    });
  }

  end(): void {
    this.#state = 'over';
    this.#program.kill();
  }
}

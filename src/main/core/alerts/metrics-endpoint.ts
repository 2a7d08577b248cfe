import { refuse } from '../../../shared/errors.ts';
import type { ArgsOf } from '../../../shared/ipc/contract.ts';
import type { Log, MetricsAnswer, MetricsRequest, MetricsServer } from '../ports.ts';
import { Turns } from '../../../shared/turns.ts';
import type { KeptSecrets } from '../secrets/kept-secrets.ts';
import type { SettingsService } from '../settings/settings-service.ts';
import { metricsText, type MetricsFacts } from './metrics-text.ts';

export interface MetricsEndpointDeps {
  server: MetricsServer;
  settings: SettingsService;
  kept: KeptSecrets;
  facts: () => Promise<MetricsFacts>;
  log: Log;
}

const account = 'alerts-metrics';
const types = {
  open: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  text: 'text/plain; version=0.0.4; charset=utf-8',
} as const;

/** Figures of nodes for Prometheus, on this computer only; off until the user gives a port. */
export class MetricsEndpoint {
  readonly #deps: MetricsEndpointDeps;
  /** A change waits for the one before, which may wait for the keychain. */
  readonly #changes = new Turns();
  /** For the user: why the figures cannot be read although they are on; null otherwise. */
  notice: string | null = null;

  constructor(deps: MetricsEndpointDeps) {
    this.#deps = deps;
  }

  /** Follows the settings. A port that is taken has its notice: the rest of the app goes on. */
  async start(): Promise<void> {
    const { settings, server, log } = this.#deps;
    const { metrics } = settings.current().alerts;
    if (metrics === null) return;
    await server
      .listen(metrics.port, (request) => this.#answer(request))
      .catch((cause: unknown) => {
        log.error('alerts.metrics', cause);
        this.notice = `Prometheus can’t read your nodes’ metrics: port ${metrics.port} is in use by another program or isn’t allowed. Choose another port in Settings, Alerts.`;
      });
  }

  async stop(): Promise<void> {
    await this.#deps.server.close();
  }

  /** No port: off, and its token is forgotten. Throws if the port or the keychain cannot be used; then nothing has changed. */
  set(args: ArgsOf<'alerts.setMetrics'>): Promise<null> {
    return this.#changes.take(() => this.#set(args));
  }

  async #set({ port, token }: ArgsOf<'alerts.setMetrics'>): Promise<null> {
    const { settings, server, kept, log } = this.#deps;
    const { metrics } = settings.current().alerts;
    if (token !== null && !/^[\x21-\x7e]*$/.test(token))
      refuse('A token can have only letters, digits and symbols, and no spaces.', 'token');
    const keepsToken = port !== null && token === null && metrics?.hasToken === true;
    await server.close();
    try {
      if (port !== null) await server.listen(port, (request) => this.#answer(request));
      this.notice = null;
      const hasToken = keepsToken || (token !== null && token !== '');
      const change = (): void => {
        const changed = port === null ? null : { port, hasToken };
        settings.update({ alerts: { ...settings.current().alerts, metrics: changed } });
      };
      if (keepsToken) change();
      else await kept.writeFor(account, port === null || !hasToken ? null : token, change, log);
    } catch (cause) {
      await server.close();
      await this.start();
      throw cause;
    }
    return null;
  }

  async #answer({ method, path, authorization, accept }: MetricsRequest): Promise<MetricsAnswer> {
    const plain = (status: number, body: string): MetricsAnswer => ({ status, type: 'text/plain', body });
    if (path !== '/metrics') return plain(404, 'Only /metrics is available.\n');
    if (method !== 'GET') return plain(405, 'Only GET is supported.\n');
    const { metrics } = this.#deps.settings.current().alerts;
    // It listens already while its token is still being written.
    if (metrics === null) return plain(503, 'Not set up yet.\n');
    if (metrics.hasToken) {
      const { text } = await this.#deps.kept.recall(account, false);
      if (text == null) return plain(503, 'This computer’s keychain has no token.
');
      if (authorization !== `Bearer ${text}`) return plain(401, 'The token is missing or wrong.\n');
    }
    const format = accept.includes('application/openmetrics-text') ? 'open' : 'text';
    return { status: 200, type: types[format], body: metricsText(await this.#deps.facts(), format) };
  }
}

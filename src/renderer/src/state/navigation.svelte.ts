import { untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { everything, type ActivityFilter, type ChoiceField } from '../../../shared/activity/filter.ts';
import type { ActivityRow } from '../../../shared/activity/types.ts';
import type { AppLink } from '../../../shared/app-link.ts';
import type { Incident } from '../../../shared/health/types.ts';
import type { ExploreRequest } from './catalogue.ts';
import type { Explore } from './explore.svelte.ts';
import { filterFor, isEverything } from './filter-choice.ts';
import type { LookupSubject } from './lookup-subject.ts';
import { Places, type Place } from './places.svelte.ts';

export type ViewId = 'overview' | 'activity' | 'nodes' | 'explore' | 'alerts' | 'settings';

export type DialogRequest =
  /** With an address, it is filled in. */
  | { kind: 'add-address'; address?: string }
  /** The text, or the lines of the file, are filled in. */
  | { kind: 'add-addresses'; from?: string | File }
  | { kind: 'edit-address'; address: string }
  | { kind: 'remove-address'; address: string }
  /** Names an address in the book; if empty, the user types it. `inList`: over the list of names, which stays. */
  | { kind: 'edit-name'; address: string; inList?: true }
  | { kind: 'names' }
  | { kind: 'export-activity' }
  /** With an address, it is filled in. */
  | { kind: 'add-node'; url?: string }
  | { kind: 'edit-node'; id: string }
  | { kind: 'remove-node'; id: string }
  | { kind: 'palette' }
  | { kind: 'shortcuts' };

/** Where the user is. Choices inside a view are kept here, so that they survive a look at another view. */
export class Navigation {
  view = $state<ViewId>('overview');
  /** What the timeline shows. */
  filter = $state.raw<ActivityFilter>(everything);
  /** The timeline shows times as ages. */
  timesAsAge = $state(false);
  /** A node, or an open recording. */
  nodeId = $state<string | null>(null);
  /** The Nodes view lists the incidents of all nodes instead of one node. */
  showsAllIncidents = $state(false);
  /** The incident whose drawer is open. */
  incident = $state.raw<Incident | null>(null);
  /** What was typed in forms of views and is not saved, see `draft.ts`. */
  readonly drafts = new SvelteMap<string, unknown>();
  dialog = $state.raw<DialogRequest | null>(null);
  /** The transaction whose drawer is open. */
  opened = $state.raw<ActivityRow | null>(null);
  /** The drawer of the coverage is open. */
  showsCoverage = $state(false);
  /** The lookups: each was opened from the one before it, and the last is shown. */
  lookups = $state.raw<readonly LookupSubject[]>([]);

  readonly #explore: Explore;
  readonly #places = new Places();

  constructor(explore: Explore) {
    this.#explore = explore;
  }

  go(view: ViewId): void {
    this.closeLookups();
    this.incident = null;
    this.opened = null;
    this.showsCoverage = false;
    this.view = view;
  }

  /** What it returns says later whether the user is still here, with the same drawers and dialog. */
  stay(): () => boolean {
    const here = (): unknown[] => {
      const { view, nodeId, showsAllIncidents, incident, opened, showsCoverage, lookups, dialog } = this;
      return [view, nodeId, showsAllIncidents, incident?.id, opened, showsCoverage, lookups, dialog];
    };
    const then = here();
    return () => here().every((part, index) => part === then[index]);
  }

  /** Remembers the current place, to come back there. To be called when it has changed. */
  visit(): void {
    const place = this.#place;
    // Without tracking: what it reads of its own history must not trigger it again.
    untrack(() => this.#places.visit(place));
  }

  get canGoBack(): boolean {
    return this.#places.canGoBack;
  }

  get canGoForward(): boolean {
    return this.#places.canGoForward;
  }

  /** Goes back one place; does nothing at the first. */
  back(): void {
    this.#restore(this.#places.back(this.#place));
  }

  /** Goes forward again. */
  forward(): void {
    this.#restore(this.#places.forward(this.#place));
  }

  /** The link to this place, or to the nearest that a link can name; null in the settings. */
  get link(): AppLink | null {
    const { view, filter, nodeId, opened, incident } = this;
    const subject = this.lookups.at(-1);
    if (subject?.kind === 'address') return { view: 'address', address: subject.address };
    if (subject?.kind === 'transaction') {
      return { view: 'transaction', chainId: subject.chainId, txHash: subject.txHash };
    }
    if (view === 'settings') return null;
    if (opened !== null) {
      return { view: 'transaction', chainId: opened.chainId, txHash: opened.txHash };
    }
    if (view === 'activity') {
      return isEverything(filter) && !filter.showHidden && filter.order === undefined
        ? { view }
        : { view: 'filtered', filter };
    }
    if (view === 'nodes' && incident !== null) {
      const among = this.showsAllIncidents ? 'all' : 'node';
      return { view: 'incident', nodeId: incident.nodeId, id: incident.id, among };
    }
    if (view === 'nodes' && this.showsAllIncidents) return { view: 'incidents' };
    if (view === 'nodes') return nodeId === null ? { view } : { view: 'node', nodeId };
    if (view === 'overview' || view === 'alerts') return { view };
    const { choice, values } = this.#explore;
    return choice === null ? null : { view, form: { id: choice, values } };
  }

  get #place(): Place {
    const { view, filter, nodeId, showsAllIncidents, incident, opened, lookups } = this;
    const { choice, values, run } = this.#explore;
    return {
      view,
      filter,
      nodeId,
      showsAllIncidents,
      incident,
      opened,
      lookups,
      asked: { choice, values, run },
    };
  }

  #restore(place: Place | null): void {
    if (place === null) return;
    const { asked, ...own } = place;
    Object.assign(this, own);
    this.showsCoverage = false;
    this.#explore.restore(asked);
    // Elsewhere what was typed in the form since stays.
    if (own.view === 'explore') this.#explore.values = asked.values;
  }

  goToActivity(filter: ActivityFilter): void {
    this.filter = filter;
    this.go('activity');
  }

  goToAddress(address: string): void {
    this.goToActivity(filterFor({ address, chainId: null }));
  }

  /** The rows with this value, such as one token. */
  goToValue(field: ChoiceField, value: string): void {
    this.goToActivity({ ...everything, pills: [{ field, not: false, values: [value] }] });
  }

  goToNode(id: string): void {
    this.nodeId = id;
    this.showsAllIncidents = false;
    this.go('nodes');
  }

  /** The moment at which the replay of a node is to be opened, until its panel has done so. */
  replay = $state.raw<{ nodeId: string; atMs: number } | null>(null);

  goToReplay(nodeId: string, atMs: number): void {
    this.replay = { nodeId, atMs };
    this.goToNode(nodeId);
  }

  /** The incidents of all nodes, and one of them opened. */
  goToIncidents(opened: Incident | null): void {
    this.showsAllIncidents = true;
    this.go('nodes');
    this.incident = opened;
  }

  /** A form with exactly these values, or the form of this id as it was left. */
  goToExplore(request: ExploreRequest | string): void {
    if (typeof request === 'string') this.#explore.choose(request);
    else this.#explore.prefill(request);
    this.go('explore');
  }

  open(dialog: DialogRequest): void {
    this.dialog = dialog;
  }

  /** The lookup drawer is below the other dialogs, which do not close it. */
  lookUp(subject: LookupSubject): void {
    this.lookups = [...this.lookups, subject];
  }

  /** Closes the dialog, with `only` not another one that is open by now. */
  closeDialog(only = this.dialog): void {
    if (this.dialog === only) this.dialog = null;
  }

  /** Goes back to where the lookup was opened from. */
  leaveLookup(): void {
    this.lookups = this.lookups.slice(0, -1);
  }

  closeLookups(): void {
    this.lookups = [];
  }
}

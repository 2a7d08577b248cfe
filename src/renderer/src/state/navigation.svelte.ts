import { everything, type ActivityFilter } from '../../../shared/activity/filter.ts';
import type { Incident } from '../../../shared/health/types.ts';
import type { ExploreRequest } from './catalogue.ts';
import type { Explore } from './explore.svelte.ts';
import type { LookupSubject } from './lookup-subject.ts';

export type ViewId = 'overview' | 'activity' | 'nodes' | 'explore' | 'settings';

export type DialogRequest =
  /** With an address, it is filled in. */
  | { kind: 'add-address'; address?: string }
  /** The lines of the text, or of the file, are filled in. */
  | { kind: 'add-addresses'; from?: string | File }
  | { kind: 'edit-address'; address: string }
  | { kind: 'remove-address'; address: string }
  /** Names an address in the book; an empty one is typed by the user. */
  | { kind: 'edit-name'; address: string }
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
  /** Times of the timeline as ages. */
  timesAsAge = $state(false);
  /** A node, or a recording that is open. */
  nodeId = $state<string | null>(null);
  /** The Nodes view lists the incidents of all nodes instead of one node. */
  showsAllIncidents = $state(false);
  /** The incident whose drawer is open. */
  incident = $state.raw<Incident | null>(null);
  dialog = $state.raw<DialogRequest | null>(null);
  /** What is being looked up: each was opened from the one before it, and the last is shown. */
  lookups = $state.raw<readonly LookupSubject[]>([]);

  readonly #explore: Explore;

  constructor(explore: Explore) {
    this.#explore = explore;
  }

  go(view: ViewId): void {
    this.closeLookups();
    this.incident = null;
    this.view = view;
  }

  goToActivity(filter: ActivityFilter): void {
    this.filter = filter;
    this.go('activity');
  }

  goToNode(id: string): void {
    this.nodeId = id;
    this.showsAllIncidents = false;
    this.go('nodes');
  }

  /** The incidents of all nodes, and one of them opened. */
  goToIncidents(opened: Incident | null): void {
    this.showsAllIncidents = true;
    this.go('nodes');
    this.incident = opened;
  }

  goToExplore(request: ExploreRequest): void {
    this.#explore.prefill(request);
    this.go('explore');
  }

  /** A lookup lies under the other dialogs, which leave it where it is. */
  open(dialog: DialogRequest | { kind: 'lookup'; subject: LookupSubject }): void {
    if (dialog.kind === 'lookup') this.lookups = [...this.lookups, dialog.subject];
    else this.dialog = dialog;
  }

  closeDialog(): void {
    this.dialog = null;
  }

  /** Back to what the lookup was opened from. */
  leaveLookup(): void {
    this.lookups = this.lookups.slice(0, -1);
  }

  closeLookups(): void {
    this.lookups = [];
  }
}

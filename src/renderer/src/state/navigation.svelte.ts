import { createContext } from 'svelte';
import type { Incident } from '../../../shared/health/types.ts';
import type { ExploreRequest } from './explore-choice.ts';

export type ViewId = 'overview' | 'activity' | 'nodes' | 'explore' | 'settings';

export type DialogRequest =
  | { kind: 'add-address' }
  | { kind: 'rename-address'; address: string }
  | { kind: 'remove-address'; address: string }
  | { kind: 'add-node' }
  | { kind: 'edit-node'; id: string }
  | { kind: 'remove-node'; id: string }
  | { kind: 'palette' }
  | { kind: 'shortcuts' };

/** Null means all. */
export interface ActivityFilter {
  address: string | null;
  chainId: string | null;
}

export const noFilter: ActivityFilter = { address: null, chainId: null };

/** Where the user is. Choices inside a view are kept here, so that they survive a look at another view. */
export class Navigation {
  view = $state<ViewId>('overview');
  filter = $state.raw<ActivityFilter>(noFilter);
  /** A node, or a recording that is open. */
  nodeId = $state<string | null>(null);
  /** The Nodes view lists the incidents of all nodes instead of one node. */
  showsAllIncidents = $state(false);
  /** An incident that the list has yet to open. */
  incidentRequest = $state.raw<Incident | null>(null);
  /** A form that the Explore view has yet to open. */
  exploreRequest = $state.raw<ExploreRequest | null>(null);
  dialog = $state.raw<DialogRequest | null>(null);

  go(view: ViewId): void {
    this.view = view;
  }

  goToActivity(filter: ActivityFilter): void {
    this.filter = filter;
    this.view = 'activity';
  }

  goToNode(id: string): void {
    this.nodeId = id;
    this.showsAllIncidents = false;
    this.view = 'nodes';
  }

  /** The incidents of all nodes, and one of them opened. */
  goToIncidents(opened: Incident | null): void {
    this.showsAllIncidents = true;
    this.incidentRequest = opened;
    this.view = 'nodes';
  }

  goToExplore(request: ExploreRequest): void {
    this.exploreRequest = request;
    this.view = 'explore';
  }

  open(dialog: DialogRequest): void {
    this.dialog = dialog;
  }

  closeDialog(): void {
    this.dialog = null;
  }
}

export const [useNavigation, provideNavigation] = createContext<Navigation>();

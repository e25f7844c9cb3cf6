// What a feature brings to the web interface. It is loaded together with the pages.

import type { PageContext, PageSlots } from './context.ts';
import type { Route } from './route.ts';

export interface FeaturePages extends PageSlots {
  routes: readonly Route[];
  area?: OpenArea;
}

/** Paths that everybody may open who knows the link. No session is looked up there. */
export interface OpenArea {
  /** The area is everything below this path. */
  path: string;
  /** Sent with every response. */
  headers: Record<string, string>;
  /** Serves all methods. */
  serve(context: PageContext): Promise<Response>;
}

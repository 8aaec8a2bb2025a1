// Which item's composer is asked for by a key or from a row; the composer takes the focus when it appears.
import { signal } from "@preact/signals";

/** The item's id. */
export const wantedComposer = signal<string | undefined>(undefined);

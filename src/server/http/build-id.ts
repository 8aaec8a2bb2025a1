import { commit, version } from "../../shared/build.ts";

/** What the app compares to learn that the hub was replaced (rest-api.md 0.9). */
export const buildId: string = `${version}+${commit}`;

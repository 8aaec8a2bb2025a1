// The facts about a hub as words. What would say where it runs stays out of diagnostics, and no token is ever in them.
import type { HubView } from "../../../shared/views.ts";
import { hubAddress, ownBuild } from "../../data/scope.ts";
import { bytes } from "../../text/bytes.ts";
import { count } from "../../text/count.ts";
import { hubText } from "../../text/en-hub.ts";
import { fullStamp } from "../../text/time.ts";

export type Fact = {
  name: string;
  value: string;
  isData?: true;
  /** Names, addresses and paths: shown here, not copied. */
  isPrivate?: true;
};

export function limitsOf(hub: HubView): Fact[] {
  return Object.entries(hubText.limitNames).map(([key, words]) => {
    // The names are those of the limits.
    const amount = hub.limits[key as keyof HubView["limits"]];
    return { name: words, value: key.endsWith("_bytes") ? bytes(amount) : hubText.characters(count(amount)) };
  });
}

export function factsOf(hub: HubView, health: string | undefined): Fact[] {
  return [
    { name: hubText.name, value: hub.node.host, isPrivate: true },
    { name: hubText.version, value: hubText.versionWords(hub.version, hub.commit) },
    { name: hubText.build, value: hubText.builds(ownBuild, hub.build), isData: true },
    { name: hubText.started, value: fullStamp(hub.started_at) },
    ...(health === undefined ? [] : [{ name: hubText.health, value: health }]),
    { name: hubText.seenAt, value: hubAddress, isData: true, isPrivate: true },
    { name: hubText.publicUrl, value: hub.public_url ?? hubText.notConfigured, isPrivate: true },
    { name: hubText.data, value: hub.data_path, isData: true, isPrivate: true },
    { name: hubText.schema, value: String(hub.schema_version) },
    { name: hubText.enrol, value: hub.features.enrol ? hubText.open : hubText.closed },
    { name: hubText.notify, value: hub.features.notify ? hubText.set : hubText.notSet },
    { name: hubText.licence, value: hubText.licenceWords },
  ];
}

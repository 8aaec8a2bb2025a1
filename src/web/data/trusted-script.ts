// The one policy that makes script addresses: of this hub's own origin, or none (web-app.md 2.6).
import { addressOf } from "./scope.ts";

type Policy = { createScriptURL(address: string): string };
type Factory = { createPolicy(name: string, rules: Policy): Policy };

const rules: Policy = {
  createScriptURL(address) {
    if (new URL(address).origin !== location.origin) throw new TypeError(`${address} is not of this hub`);
    return address;
  },
};

function findFactory(): Factory | undefined {
  // The DOM library knows no Trusted Types; where there are none, the rules alone hold.
  const { trustedTypes } = globalThis as { trustedTypes?: Factory };
  return trustedTypes;
}

const policy = findFactory()?.createPolicy("hub", rules) ?? rules;

/** @param path relative to the hub's root */
export function trustedScript(path: string): string {
  return policy.createScriptURL(addressOf(path));
}

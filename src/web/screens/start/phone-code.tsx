// The hub's address for another device: as a code to point a camera at, and in words. Never with the token.
import { useEffect, useState } from "preact/hooks";
import { isLoopback } from "../../../shared/snippets.ts";
import { hubSpec } from "../../data/hub.ts";
import { useResource } from "../../data/resource.ts";
import { hubAddress } from "../../data/scope.ts";
import { CopyField } from "../../parts/copy-field.tsx";
import { startText } from "../../text/en-start.ts";
import type { Code } from "./code.ts";

export function PhoneCode() {
  const configured = useResource(hubSpec).value.value?.public_url ?? undefined;
  // What this browser uses is known to work beyond this machine, unless it is this machine's own.
  const address = [hubAddress, configured].find((each) => each !== undefined && !isLoopback(each));
  if (address === undefined) return <p class="phone-code note">{startText.phoneLocal}</p>;
  return (
    <div class="phone-code">
      <Picture address={address} />
      <CopyField label={startText.phoneAddress} value={address} />
      <p class="note soft">{startText.phoneHow}</p>
    </div>
  );
}

function Picture({ address }: { address: string }) {
  const [code, setCode] = useState<Code | undefined>(undefined);
  useEffect(() => {
    // Loaded for whoever wants a code; without it the address in words is enough.
    import("./code.ts").then(
      ({ codeOf }) => setCode(codeOf(address)),
      () => undefined,
    );
  }, [address]);
  return (
    <svg class="qr" role="img" aria-label={startText.phoneCode(address)} viewBox={code?.box ?? "0 0 1 1"}>
      {code === undefined ? null : <path d={code.path} />}
    </svg>
  );
}

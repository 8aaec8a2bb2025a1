// Whether a media query holds, followed while the component is there.
import { useEffect, useState } from "preact/hooks";

export function useMedia(query: string): boolean {
  const [doesHold, setHolds] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const follow = (): void => setHolds(media.matches);
    follow();
    media.addEventListener("change", follow);
    return () => media.removeEventListener("change", follow);
  }, [query]);
  return doesHold;
}

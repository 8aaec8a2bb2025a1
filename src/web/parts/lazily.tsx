// A part of a screen in a chunk of its own: its place is empty until the chunk is there, and stays so if it never comes.
import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";

export function lazily<Props extends object>(load: () => Promise<FunctionComponent<Props>>): FunctionComponent<Props> {
  let loaded: FunctionComponent<Props> | undefined;
  return function Lazily(props: Props) {
    const [View, setView] = useState<FunctionComponent<Props> | undefined>(() => loaded);
    useEffect(() => {
      if (View !== undefined) return;
      let isHere = true;
      load().then(
        (view) => {
          loaded = view;
          // A function in a state is called, so it is wrapped in one.
          if (isHere) setView(() => view);
        },
        () => undefined, // the bar of the app offers to load it anew
      );
      return () => {
        isHere = false;
      };
    }, [View]);
    return View === undefined ? null : <View {...props} />;
  };
}

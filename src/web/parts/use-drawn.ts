// Whether a list that is drawn in parts has any row in the document: a feed without one is busy, not empty.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";

export type NoteDrawn = (part: string | number, isDrawn: boolean) => void;

export function useDrawn(): { isAnyDrawn: boolean; noteDrawn: NoteDrawn } {
  const drawn = useRef(new Set<string | number>());
  const [isAnyDrawn, setAnyDrawn] = useState(true);
  const noteDrawn: NoteDrawn = useCallback((part, isDrawn) => {
    if (isDrawn) drawn.current.add(part);
    else drawn.current.delete(part);
    setAnyDrawn(drawn.current.size > 0);
  }, []);
  return { isAnyDrawn, noteDrawn };
}

export function useNoteDrawn(noteDrawn: NoteDrawn, part: string | number, isDrawn: boolean): void {
  useEffect(() => {
    noteDrawn(part, isDrawn);
    return () => noteDrawn(part, false);
  }, [noteDrawn, part, isDrawn]);
}

// The item the reading pane shows, from its own read and until then from the list.
import { useEffect } from "preact/hooks";
import type { InboxItemView } from "../../../shared/views.ts";
import { heldItem, inboxItem } from "../../items/inbox-lists.ts";
import { FoldedHistory, ItemHistory } from "../../items/item-history.tsx";
import { ItemView } from "../../items/item-view.tsx";
import { Button, IconButton } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { useMedia } from "../../parts/use-media.ts";
import { wordsOf } from "../../shell/load-states.tsx";
import { widestScreen } from "../../shell/panes.tsx";
import { inboxText } from "../../text/en-inbox.ts";
import { shellText } from "../../text/en-shell.ts";

type InboxDetailProps = {
  id: string;
  isPreview: boolean;
  onClose: () => void;
  onMenu: (item: InboxItemView, anchor: HTMLElement) => void;
};

export function InboxDetail({ id, isPreview, onClose, onMenu }: InboxDetailProps) {
  const own = inboxItem(id);
  const hasContext = useMedia(widestScreen);
  useEffect(() => own.hold(), [own]);
  const item = own.value.value ?? heldItem(id);
  return (
    <div class="inbox-detail">
      <div class="detail-bar">
        <Button look="quiet" glyph="back" data-close onClick={onClose}>
          {inboxText.backTo}
        </Button>
        {item === undefined ? null : (
          <IconButton
            glyph="more"
            label={inboxText.moreAbout(item.summary)}
            aria-haspopup="menu"
            onClick={(event) => onMenu(item, event.currentTarget)}
          />
        )}
      </div>
      {item === undefined ? (
        <Missing id={id} />
      ) : (
        <ItemView item={item} isPreview={isPreview} onPassed={() => void own.refresh() /* its state tells */}>
          {hasContext ? null : <FoldedHistory item={item} />}
        </ItemView>
      )}
    </div>
  );
}

/** In the third pane, where there is one. */
export function InboxContext({ id, isPreview }: { id: string; isPreview: boolean }) {
  const item = inboxItem(id).value.value ?? heldItem(id);
  return item === undefined ? null : <ItemHistory item={item} isPreview={isPreview} />;
}

function Missing({ id }: { id: string }) {
  const own = inboxItem(id);
  const failed = own.failure.value;
  switch (own.state.value) {
    case "ready":
    case "gone":
      return <Empty glyph="inbox" title={shellText.notHere} />;
    case "offline":
      return <Empty glyph="offline" title={shellText.needsHub} />;
    case "error":
      return (
        <Problem
          words={shellText.couldNotLoad(inboxText.what)}
          detail={failed === undefined ? undefined : wordsOf(failed)}
          onRetry={() => void own.refresh() /* its state tells */}
        />
      );
    default:
      return <Skeleton shape="prose" />;
  }
}

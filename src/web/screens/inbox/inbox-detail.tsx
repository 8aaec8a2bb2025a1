// The item the reading pane shows, from its own read and until then from the list.
import { useEffect } from "preact/hooks";
import type { InboxItemView } from "../../../shared/views.ts";
import { heldItem, inboxItem, listedItem } from "../../items/inbox-lists.ts";
import { ItemView } from "../../items/item-view.tsx";
import { Button, IconButton } from "../../parts/button.tsx";
import { lazily } from "../../parts/lazily.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { useMedia } from "../../parts/use-media.ts";
import { LoadedContent } from "../../shell/load-states.tsx";
import { widestScreen } from "../../shell/panes.tsx";
import { inboxText } from "../../text/en-inbox.ts";

const FoldedHistory = lazily(async () => (await import("../../items/item-history.tsx")).FoldedHistory);
const ItemHistory = lazily(async () => (await import("../../items/item-history.tsx")).ItemHistory);

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
  const item = own.state.value === "gone" ? undefined : heldItem(id);
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
      <LoadedContent
        resource={own}
        what={inboxText.item}
        skeleton={<Skeleton shape="prose" />}
        parent={{ words: inboxText.backTo, to: "/inbox" }}
        meanwhile={listedItem(id)}
      >
        {(shown) => (
          <ItemView item={shown} isPreview={isPreview} onPassed={() => void own.refresh() /* its state tells */}>
            {hasContext ? null : <FoldedHistory item={shown} />}
          </ItemView>
        )}
      </LoadedContent>
    </div>
  );
}

/** In the third pane, where there is one. */
export function InboxContext({ id, isPreview }: { id: string; isPreview: boolean }) {
  const item = inboxItem(id).value.value ?? heldItem(id);
  return item === undefined ? null : <ItemHistory item={item} isPreview={isPreview} />;
}

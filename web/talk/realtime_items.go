package talk

import (
	"context"
	"slices"
	"strings"
	"time"

	"quaestor/chat/voice"
	"quaestor/internal/audio"
)

// maxItems is how many items of a call can be asked for: the latest. Clients ask for one right
// after it was truncated.
const maxItems = 500

// items are those of a call.
type items struct {
	byID  map[string]item
	order []string
}

// put keeps an item as it is now.
func (l *items) put(i item) {
	if l.byID == nil {
		l.byID = map[string]item{}
	}
	if _, known := l.byID[i.ID]; !known {
		l.order = append(l.order, i.ID)
	}
	l.byID[i.ID] = i
	for len(l.order) > maxItems {
		delete(l.byID, l.order[0])
		l.order = l.order[1:]
	}
}

// sentence is one of a response.
type sentence struct {
	text          string
	begins, lasts int // milliseconds of the sound of the item
}

// heardOf returns the words of sentences that were played by a millisecond of the sound.
func heardOf(list []sentence, at int) string {
	var out []string
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	for _, s := range list {
		if text := audio.Played(s.text, ms(s.lasts), ms(at-s.begins)); at > s.begins && text != "" {
			out = append(out, text)
		}
	}
	return strings.Join(out, " ")
}

// retrieve answers with an item as it is now: of one that was truncated, what was heard.
func (c *realtimeCall) retrieve(ctx context.Context, e realtimeEvent) error {
	c.mu.Lock()
	i, known := c.items.byID[e.ItemID]
	if r := c.response; r != nil && r.item == e.ItemID {
		i, known = c.item(r, "in_progress"), true
	}
	c.mu.Unlock()
	if !known {
		return c.refuse(ctx, e, "item_not_found", "there is no item with this id, or it is too long ago")
	}
	return c.emit(ctx, "conversation.item.retrieved", fields{"item": i})
}

// truncated keeps of an item what was heard of it, by a millisecond of its sound. It must hold mu.
func (c *realtimeCall) truncated(id string, of heard, at int) {
	i, known := c.items.byID[id]
	if !known || c.format.text {
		return
	}
	text := heardOf(of.sentences, at)
	i.Status, i.Content = "incomplete", []part{{Type: "output_audio", Transcript: &text}}
	c.items.put(i)
}

// says adds a sentence that a caption tells of to the response under way. It must hold mu.
func (c *realtimeCall) says(r *response, e voice.CaptionEvent) {
	r.sentences = append(slices.Clip(r.sentences), sentence{strings.TrimSpace(e.Text), milliseconds(r.sent), e.Length})
}

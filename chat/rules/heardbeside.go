package rules

import "quaestor/chat"

// beside notes what comes beside that tells nothing.
func (h *heard) beside() {
	for i := range h.said.Segments {
		seg := &h.said.Segments[i]
		if m, ok := h.intentOf(seg); ok {
			h.out.Beside = append(h.out.Beside, chat.Remark{Intent: m.intent, Act: seg.Act.String(), Text: h.said.Text[seg.From:seg.To], About: h.about(seg)})
		}
	}
}

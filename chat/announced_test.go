package chat

import (
	"slices"
	"testing"
)

func TestAnnouncements(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		message string
		want    []string // the words of each, and its topic
	}{
		{"One more thing: the delivery", []string{"One more thing:", "the delivery"}},
		{"We’re eight. Don’t forget about parking, please", []string{"Don’t forget about", "parking"}},
		{"You must not forGET it. You should also ask me about the roof!", []string{"You must not forGET", "it", "You should also ask me about", "the roof"}},
		{"You haven't asked about insurance yet", []string{"You haven't asked about", "insurance"}},
		{"Noch ein wichtiger Punkt: die Parkplätze, danke", []string{"Noch ein wichtiger Punkt:", "die Parkplätze"}},
		{"Don't forget.", []string{"Don't forget", ""}},
		{"Never forget", nil}, // nothing follows
		{"I asked about the roof", nil},
	} {
		var got []string
		for _, a := range announcements(tt.message) {
			got = append(got, tt.message[a.from:a.topic], topicOf(tt.message[a.topic:]))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("announcements(%q) = %q, want %q", tt.message, got, tt.want)
		}
	}
}

package sessions_test

import "testing"

func TestHubCountsTheRepliesBeingMade(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	turn := j.begin()
	count := func(want int, when string) {
		t.Helper()
		if got := j.hub.Replying(); got != want {
			t.Errorf("Replying() = %d %s, want %d", got, when, want)
		}
	}

	count(0, "before a turn")
	first := j.hub.Reply(turn)
	count(1, "while it is made")
	again := j.hub.Reply(turn) // a later attempt takes its place
	count(1, "when it is begun again")
	first.Close()
	count(1, "when the earlier attempt ends")
	again.Close()
	again.Close()
	count(0, "after it was closed, twice")
}

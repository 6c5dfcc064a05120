package model

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"quaestor/chat"
	"quaestor/sessions"
)

// speakers returns the labels by which a prompt tells the people of an interview
// apart, by user id: prompts contain no names and no ids. Person A began the
// interview; the others follow in the order in which evidence or transcript first
// mentions them. It returns nil while only one person has spoken.
func speakers(s *chat.Scene) map[string]string {
	first := map[string]int{} // turn in which somebody first spoke
	spoke := func(user string, turn int) {
		if at, ok := first[user]; user != "" && (!ok || turn < at) {
			first[user] = turn
		}
	}
	spoke(s.Person, s.Turn)
	for _, m := range s.Transcript {
		if m.Role == sessions.FromUser {
			spoke(m.User, m.Turn)
		}
	}
	for i := range s.Obligations {
		for _, e := range s.Obligations[i].Evidence {
			spoke(e.By, e.Turn)
		}
		for _, c := range s.Obligations[i].Stands {
			spoke(c.Person, c.Evidence.Turn)
		}
	}
	if len(first) < 2 {
		return nil
	}
	if _, ok := first[s.Session.User]; ok {
		first[s.Session.User] = -1
	}
	users := slices.SortedFunc(maps.Keys(first), func(a, b string) int { return cmp.Or(cmp.Compare(first[a], first[b]), cmp.Compare(a, b)) })
	labels := make(map[string]string, len(users))
	for i, u := range users {
		labels[u] = "Person " + strconv.Itoa(i+1)
		if i < 26 {
			labels[u] = "Person " + string(rune('A'+i))
		}
	}
	return labels
}

package chat

import (
	"cmp"
	"slices"
	"strconv"

	"quaestor/sessions"
)

// speakers returns the labels a prompt gives the people of an interview: Person
// A began it, the others follow in the order they are first heard of, in the
// evidence or in the transcript. Prompts hold no names and no ids. While one
// person has spoken nobody has a label.
func speakers(s *Scene) map[string]string {
	first := map[string]int{}
	hear := func(user string, turn int) {
		if at, ok := first[user]; user != "" && (!ok || turn < at) {
			first[user] = turn
		}
	}
	hear(s.Person, s.Turn)
	for _, m := range s.Transcript {
		if m.Role == sessions.FromUser {
			hear(m.User, m.Turn)
		}
	}
	for i := range s.Obligations {
		for _, e := range s.Obligations[i].Evidence {
			hear(e.By, e.Turn)
		}
		for _, c := range s.Obligations[i].Stands {
			hear(c.Person, c.Evidence.Turn)
		}
	}
	if _, ok := first[s.Session.User]; ok {
		first[s.Session.User] = -1
	}
	return labels(first)
}

// labels gives everybody a letter in the order of their turns; nothing when there
// is one person only.
func labels(first map[string]int) map[string]string {
	if len(first) < 2 {
		return nil
	}
	users := make([]string, 0, len(first))
	for u := range first {
		users = append(users, u)
	}
	slices.SortFunc(users, func(a, b string) int { return cmp.Or(cmp.Compare(first[a], first[b]), cmp.Compare(a, b)) })
	out := make(map[string]string, len(users))
	for i, u := range users {
		if i < 26 {
			out[u] = "Person " + string(rune('A'+i))
		} else {
			out[u] = "Person " + strconv.Itoa(i+1)
		}
	}
	return out
}

package talk

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/web"
	"quaestor/web/ui"
)

// Bounds of the search page; the search itself finds 100 at most.
const (
	foundRows  = 20
	foundPages = 5
)

// searchPage shows what is found in the actor's own sessions, or in anybody's for
// reviewers. A search that takes too long says so on the page.
func (s *Handlers) searchPage(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), web.ActorFrom(r.Context())
	v := readSearch(r)
	v.Nav = web.NavOf(ctx, ui.AtInterviews)
	if err := web.Need(a, auth.Read); err != nil {
		return err
	}
	if v.Words != "" {
		err := s.find(ctx, a, &v)
		switch {
		case fault.Is(err, fault.Unavailable):
			v.Failure = web.Sentence(web.ProblemOf(err, "").Detail)
		case err != nil:
			return err
		}
	}
	return web.Render(w, r, Search(v))
}

// readSearch reads the page's address; what it cannot mean is taken for nothing.
func readSearch(r *http.Request) SearchView {
	q := r.URL.Query()
	v := SearchView{Words: strings.TrimSpace(q.Get("q")), Page: 1}
	switch kind := sessions.FoundKind(q.Get("kind")); kind {
	case sessions.FoundObligation, sessions.FoundMessage, sessions.FoundSession:
		v.Kind = kind
	}
	if n, err := strconv.Atoi(q.Get("page")); err == nil {
		v.Page = min(max(n, 1), foundPages)
	}
	return v
}

// find looks for the words of v and puts the hits of its page into it.
func (s *Handlers) find(ctx context.Context, a auth.Actor, v *SearchView) error {
	got, err := s.search(ctx, &searchQuery{Words: v.Words, Kind: v.Kind, Limit: min(v.Page*foundRows+1, foundPages*foundRows)})
	if err != nil {
		return err
	}
	from, to := min((v.Page-1)*foundRows, len(got.Items)), min(v.Page*foundRows, len(got.Items))
	if from == to {
		return nil
	}
	objectives, err := s.Library.List(ctx, a.Tenant, objectives.OnlyActive)
	if err != nil {
		return err
	}
	v.More = len(got.Items) > to
	for _, h := range got.Items[from:to] {
		v.Found = append(v.Found, toFoundCard(h, objectives, a))
	}
	return nil
}

// toFoundCard words a hit. What its objective does not name any more is called by
// its key.
func toFoundCard(h sessions.Hit, objectives []objectives.Objective, a auth.Actor) FoundCard {
	within, label := h.ContextType, strings.ReplaceAll(h.Key, "_", " ")
	for _, o := range objectives {
		if o.ContextType != h.ContextType {
			continue
		}
		within = o.DisplayName
		for _, t := range o.Definition.Obligations {
			if t.Key == h.Key {
				label = (&obligations.Obligation{Template: &t}).Name()
			}
		}
	}
	return FoundCard{Kind: h.Kind, Title: FoundTitle(h, label, within), Within: within, By: otherUser(h.User, a),
		Path: FoundPath(h), At: h.At, Snippet: FoundWords(h)}
}

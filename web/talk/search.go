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

// Bounds of the search page. Together they are the 100 hits that a search finds at most.
const (
	foundRows  = 20
	foundPages = 5
)

type searchQuery struct {
	Words   string             `query:"q" required:"true" doc:"as search engines take them: words, \"a phrase\", or, -without; finds by words and by meaning"`
	Kind    sessions.FoundKind `query:"kind" enum:"obligation,message,session" doc:"all kinds when absent"`
	Session string             `query:"session" doc:"id of the session to search; when absent all of the actor's own, for reviewers everybody's"`
	Limit   int                `query:"limit" minimum:"1" maximum:"100" default:"20"`
}

// search finds what was said and learnt in the actor's own sessions or, for reviewers, in
// everybody's. The index follows the turns: the last few seconds may be missing.
func (s *Handlers) search(ctx context.Context, in *searchQuery) (web.Page[sessions.Hit], error) {
	a := web.ActorFrom(ctx)
	q := sessions.Query{Tenant: a.Tenant, User: a.User, Kind: in.Kind, Words: in.Words, Max: in.Limit}
	if a.May(auth.Review) {
		q.User = ""
	}
	if in.Session != "" {
		found, err := s.Session(ctx, in.Session)
		if err != nil {
			return web.Page[sessions.Hit]{}, err
		}
		q.Session, q.User = found.ID, ""
	}
	hits, err := s.Index.Search(ctx, q)
	return web.Page[sessions.Hit]{Items: append([]sessions.Hit{}, hits...)}, err
}

// searchPage shows the results of a search. A search that takes too long fails within the
// page, so that the words are still in their field.
func (s *Handlers) searchPage(w http.ResponseWriter, r *http.Request) error {
	v := readSearch(r)
	v.Nav = web.NavOf(r.Context(), ui.AtInterviews)
	if v.Words != "" {
		err := s.find(r.Context(), web.ActorFrom(r.Context()), &v)
		switch {
		case fault.Is(err, fault.Unavailable):
			v.Failure = web.Sentence(web.ProblemOf(err, "").Detail)
		case err != nil:
			return err
		}
	}
	return web.Render(w, r, Search(v))
}

// readSearch reads the address of the search page. An unknown kind counts as all kinds, a
// page that is out of range as the nearest.
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

// find searches for the words of v and puts the hits of its page into it. A search has no
// cursor, so it asks for the hits of the pages before too, and for one more to know
// whether there is a page after.
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

// toFoundCard words a hit. An obligation that the active objectives do not have any more
// goes by its key, an objective by its context type.
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
	return FoundCard{Hit: h, Title: FoundTitle(h, label, within), Within: within, By: ownerName(h.User, a)}
}

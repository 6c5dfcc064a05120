package data

import (
	"cmp"
	"context"
	"net/http"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/research/warehouse/runs"
	"quaestor/web"
)

// runEvents streams the events of a run after Last-Event-ID or ?after=, for as long as
// the reader stays and may read. It ends after the event that ends the run. Once the
// stream is open, nothing can be answered any more: whatever ends it is told when the
// reader connects again.
func (s *Handlers) runEvents(w http.ResponseWriter, r *http.Request) error {
	run, err := s.run(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	after, err := s.runCursor(r, run)
	if err != nil {
		return err
	}
	closed, err := s.Streaming(r.Context())
	if err != nil {
		return err
	}
	defer closed()
	sub := s.Commands.Hub.Subscribe(run.Tenant, run.ID, after)
	defer sub.Close()
	out, err := web.OpenStream(w)
	if err != nil {
		return nil // the reader has left
	}
	watch := s.Watch(func(ctx context.Context) error {
		_, err := s.run(ctx, run.ID)
		return cmp.Or(web.Need(web.ActorFrom(ctx), auth.Review), err)
	})
	for {
		events, err := sub.Next(r.Context(), watch.Left())
		if err != nil {
			s.StreamBroke(r.Context(), err)
			return nil
		}
		if watch.Check(r.Context()) != nil {
			return nil
		}
		shown := web.Map(events, func(e runs.Event) web.ServerEvent { return web.ServerEvent{Id: e.Seq, Data: e.Data} })
		if out.Send(shown) != nil {
			return nil
		}
	}
}

// runCursor returns the number of the last event that the reader has; 0 for none. It
// refuses a number that the run has no event of, from which a reader would wait forever.
func (s *Handlers) runCursor(r *http.Request, run runs.Run) (int64, error) {
	field, given := "Last-Event-ID", r.Header.Get("Last-Event-ID")
	if given == "" {
		field, given = "after", r.URL.Query().Get("after")
	}
	after, err := web.ParseCursor(field, given)
	if err != nil || after == 0 {
		return 0, err
	}
	list, _, err := runs.Events(r.Context(), s.Pool, run.Tenant, run.ID, after-1)
	if err == nil && (len(list) == 0 || list[0].Seq != after) {
		err = fault.New(fault.Invalid, "%d is no event of this run; leave it out to read from the start", after).At(field).Coded("bad_last_event_id")
	}
	return after, err
}

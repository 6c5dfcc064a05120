package talk

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"quaestor/chat/voice"
	"quaestor/web"
)

// watch follows the session for somebody who does not talk.
func (v *voiceCall) watch(ctx, reading context.Context, start voiceFrame) error {
	after := int64(0)
	if start.After != nil {
		after = max(*start.After, 0)
	}
	follow, err := v.follower(ctx, start, after)
	if err != nil {
		return err
	}
	g, running := errgroup.WithContext(ctx)
	ended := make(chan error, 1)
	v.reader.Go(func() {
		_, _, err := v.conn.Read(reading)
		if err == nil {
			err = protocol("who watches sends nothing; open another connection to speak")
		}
		ended <- err
	})
	g.Go(func() error {
		select {
		case err := <-ended:
			return err
		case <-running.Done():
			return running.Err()
		}
	})
	g.Go(func() error { return follow(running) })
	return g.Wait()
}

// follower returns what follows the session for a watcher, from an event on: with the sound of
// the replies, where start asks for that.
func (v *voiceCall) follower(ctx context.Context, start voiceFrame, after int64) (func(context.Context) error, error) {
	if start.Listen {
		call, err := voice.New(voice.Options{Engine: v.Engine, Hub: v.Hub, Pool: v.Pool, Voice: v.Voice, Wire: v, Input: inputOf(web.ActorFrom(ctx), v.session.ID),
			Language: v.session.Language, Rate: start.Rate, After: after, Listens: true})
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context) error {
			g, running := errgroup.WithContext(ctx)
			g.Go(func() error { return call.Run(running) })
			g.Go(func() error { return v.stillReads(running) })
			return g.Wait()
		}, nil
	}
	here := v.Voice.In(v.session.Language)
	err := v.Tell(ctx, voice.ReadyEvent{SessionID: v.session.ID, Speaks: here.Speaks() != "", Hears: here.Hears() != "", Language: v.session.Language})
	return func(ctx context.Context) error {
		return v.send(ctx, v.conn, v.session.Scope(), v.Hub.Subscribe(v.Pool, v.session.Scope(), after))
	}, err
}

// stillReads asks every keep-alive whether the line is alive and the listener may still read
// the session. It returns an error once one is not.
func (v *voiceCall) stillReads(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(v.KeepAlive):
		}
		if _, err := v.Recheck(ctx, v.MayRead(v.session.ID)); web.LostAccess(err) {
			return err
		}
		if err := inTime(ctx, v.conn.Ping); err != nil {
			return err
		}
	}
}

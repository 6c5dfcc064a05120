package voice

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/chat"
	"quaestor/internal/audio"
	"quaestor/internal/fault"
	"quaestor/internal/language/messages"
	"quaestor/internal/speech"
	"quaestor/obligations"
	"quaestor/sessions"
)

// Options configure a call. Fields without a stated default are required.
type Options struct {
	Engine *chat.Engine
	Hub    *sessions.Hub
	Pool   *pgxpool.Pool
	Voice  *speech.Voice
	Wire   Wire

	// Input is who speaks and in which session; words are added to it.
	Input chat.Input
	// Language is that of the session, a BCP 47 tag.
	Language string
	// Rate is that of the sound in both directions, in samples a second; one that
	// [audio.NewResampler] knows.
	Rate int
	// Name identifies the call: a client that comes back with it says no utterance twice.
	Name string
	// Utterance is the number of the first utterance; zero means 1. Those that were taken
	// already are passed over.
	Utterance int
	// After is the event of the session that the client has; the replies after it are
	// spoken. Negative speaks the last reply there is, or opens a session without one.
	After int64
	// Rest is where a reply goes on that was not heard to its end when the line broke; nil for
	// none. It counts with After only.
	Rest *Place
	// Push makes an utterance what is said between [Call.Press] and [Call.Release]; else
	// utterances are found in the sound.
	Push bool
	// Listens makes it the call of somebody who only listens: replies are spoken from now on,
	// nothing is heard, and no turn begins. After is the first event that the client is told of.
	Listens bool
	// Ahead is how far the line may be before the ear. Zero means 1 s.
	Ahead time.Duration
}

// Place is one in the reply of a turn.
type Place struct {
	Turn int `json:"turn"`
	From int `json:"from"` // bytes of the reply, as [CaptionEvent] tells them
}

// Call is one spoken conversation. Its methods but Run are safe for concurrent use and do
// not wait.
type Call struct {
	Options
	ears   *ears
	mouth  *mouth
	inbox  chan any
	voice  atomic.Pointer[speech.Voice] // of the language of the session, and as it sounds
	life   context.Context              //nolint:containedctx // the call's own, which Run ends
	hangUp context.CancelFunc

	log    chan []sessions.Event
	failed chan error

	// The rest belongs to the goroutine of Run.
	aloud     chat.Aloud
	tongue    string // that is heard and spoken, a BCP 47 tag; mostly the session's language
	asking    bool   // the person is asked whether they may be recorded, and the interview waits
	records   bool   // they agreed
	state     State
	reply     reply
	silent    int64          // the event up to which replies are not spoken; 0 for none
	turn      int            // that runs; 0 for none
	mine      int            // turn that this call began, and may stop
	cut       *interruption  // the reply was stopped; nil when it was not
	hush      bool           // and will not go on
	drafts    []*draft       // of what was said, in order
	pending   *words         // that become a turn
	starting  *words         // that are on their way to one
	ripe      *time.Timer    // until what there is of the reply is taken for a sentence
	reminders int            // since words were heard last
	over      *EndEvent      // why the call ends once nothing is said any more
	workers   sync.WaitGroup // of what is written down and started
}

// interruption is a reply that was stopped because the person spoke.
type interruption struct {
	turn  int
	heard time.Duration // played before, by the clock until the client tells
}

// words are what was heard in an utterance. Number 0 opens a session without words.
type words struct {
	number int
	text   string
	sound  []byte        // where the person agreed to be recorded: PCM16 of [sessions.RecordingRate], little-endian
	length time.Duration // of what was said
}

// and returns w with what was said after it.
func (w words) and(next words) words {
	next.text = strings.TrimSpace(w.text + " " + next.text)
	next.length += w.length
	if len(w.sound) > 0 {
		next.sound = append(w.sound[:len(w.sound):len(w.sound)], next.sound...)
	}
	return next
}

// New returns a call; [Call.Run] holds it.
func New(o Options) (*Call, error) {
	ears, err := newEars(o.Rate, o.Language)
	if err != nil {
		return nil, err
	}
	o.Ahead, o.Utterance = cmp.Or(o.Ahead, time.Second), cmp.Or(o.Utterance, 1)
	c := &Call{Options: o, ears: ears, inbox: make(chan any, 256), ripe: time.NewTimer(time.Hour)}
	c.life, c.hangUp = context.WithCancel(context.Background())
	c.mouth = newMouth(o.Wire, o.Rate, o.Ahead)
	c.mouth.make = c.say
	c.voice.Store(o.Voice.In(o.Language))
	return c, nil
}

// What a client may send while a call runs.
type (
	soundFrame []int16
	playedNote struct {
		turn int
		at   time.Duration
	}
	mutedNote   bool
	consentNote bool
	pressedNote bool
	pushNote    bool
	breakNote   struct{}
)

// Hear takes sound of the person, at the call's rate.
func (c *Call) Hear(samples []int16) { c.put(soundFrame(samples)) }

// Played tells how much of the reply of a turn was played when it was stopped.
func (c *Call) Played(turn int, at time.Duration) { c.put(playedNote{turn, at}) }

// Mute ends hearing until it is called with false.
func (c *Call) Mute(on bool) { c.put(mutedNote(on)) }

// Consent tells whether the person agrees to be recorded.
func (c *Call) Consent(allowed bool) { c.put(consentNote(allowed)) }

// Press begins an utterance of somebody who pushes to talk, and Release ends it.
func (c *Call) Press() { c.put(pressedNote(true)) }

// Release ends what Press began.
func (c *Call) Release() { c.put(pressedNote(false)) }

// PushToTalk changes [Options.Push].
func (c *Call) PushToTalk(on bool) { c.put(pushNote(on)) }

// Interrupt stops the reply that is being played, for good.
func (c *Call) Interrupt() { c.put(breakNote{}) }

// put hands something to Run, and reports whether the call is not over yet.
func (c *Call) put(m any) (taken bool) {
	if c.life.Err() != nil {
		return false
	}
	select {
	case c.inbox <- m:
		return true
	case <-c.life.Done():
		return false
	}
}

// ErrEnded is what [Call.Run] returns after the last words of a session that is completed.
var ErrEnded = errors.New("the call is over")

// Run holds the call until ctx ends, the line breaks, or the session is completed and its
// last words are spoken. The last thing it tells is why.
func (c *Call) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer c.takeRest()
	defer c.workers.Wait()
	defer c.hangUp()
	defer cancel()
	defer c.ripe.Stop()
	c.log, c.failed = make(chan []sessions.Event), make(chan error, 2)
	if err := c.open(ctx); err != nil {
		return err
	}
	c.workers.Go(func() { c.mouth.makeAll(ctx) })
	c.workers.Go(func() { c.failed <- c.mouth.playAll(ctx) })
	if err := c.settle(ctx); err != nil { // a session without words is opened, though nothing comes
		return err
	}
	for {
		var err error
		select {
		case <-ctx.Done():
			err = ctx.Err()
		case err = <-c.failed:
		case events := <-c.log:
			err = c.follow(ctx, events)
		case m := <-c.inbox:
			err = c.take(ctx, m)
		case <-c.mouth.news: // settle takes it
		case <-c.ripe.C:
			c.mouth.add(c.reply.take())
		}
		if err == nil {
			err = c.settle(ctx)
		}
		if err != nil {
			return err
		}
	}
}

func (c *Call) scope() obligations.Scope {
	return obligations.Scope{Tenant: c.Input.Tenant, Session: c.Input.SessionID}
}

// speakIn goes on in another language, a BCP 47 tag.
func (c *Call) speakIn(language string) {
	sounds := c.aloud.In(language)
	c.Language, c.tongue = language, sounds.Language
	c.voice.Store(c.Voice.In(c.tongue).With(speech.Manner{Name: sounds.Voice, Speed: sounds.Speed}))
}

// follow passes events of the session on, and speaks what is replied.
func (c *Call) follow(ctx context.Context, events []sessions.Event) error {
	for _, e := range events {
		if err := c.Wire.Log(ctx, e); err != nil {
			return err
		}
		if e.Seq > 0 && e.Seq <= c.silent {
			continue
		}
		if err := c.hearOf(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

// settle does what can be done now: words become a turn once the one before has ended, the
// state is told, and a call that has come to its end is ended.
func (c *Call) settle(ctx context.Context) error {
	if err := c.understand(ctx); err != nil {
		return err
	}
	c.hushed()
	if err := c.proceed(ctx); err != nil {
		return err
	}
	c.ears.playing(c.mouth.active(), c.cut != nil)
	if c.over != nil && !c.mouth.busy() && c.pending == nil && c.starting == nil {
		if err := c.Wire.Tell(ctx, *c.over); err != nil {
			return err
		}
		return ErrEnded
	}
	now := c.stateNow()
	if err := c.spoke(ctx); err != nil { // what failed is told before the state that came of it
		return err
	}
	if now == c.state {
		return nil
	}
	c.state = now
	return c.Wire.Tell(ctx, StateEvent{now})
}

// stateNow returns what the call does.
func (c *Call) stateNow() State {
	switch {
	case c.ears.hearing():
		return Hearing
	case c.cut == nil && c.mouth.active():
		return Speaking
	case c.utterances() || c.pending != nil || c.starting != nil || c.turn > 0 || c.cut != nil || c.mouth.busy():
		return Thinking
	}
	return Listening
}

// say makes the sound of a sentence, at the call's rate.
func (c *Call) say(ctx context.Context, text string) ([]int16, error) {
	var wav []byte
	var err error
	for range speechTries {
		wav, err = c.voice.Load().Speak(ctx, text)
		if err == nil || ctx.Err() != nil || !fault.Is(err, fault.Unavailable) {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	sound, rate, err := audio.ReadWAV(wav)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "what speaks sent a file that cannot be played").Coded("speech_format").Because(err)
	}
	r, err := audio.NewResampler(rate, c.Rate)
	if err != nil {
		return nil, fmt.Errorf("sound of %d Hz: %w", rate, err)
	}
	return r.Flush(r.Resample(nil, sound)), nil
}

// text returns a sentence of the server in the language of the session.
func (c *Call) text(key string) string { return messages.In(c.Language).Text(key, nil) }

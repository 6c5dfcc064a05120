package talk

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"quaestor/chat/voice"
	"quaestor/internal/audio"
	"quaestor/internal/fault"
	"quaestor/sessions"
	"quaestor/web"
)

// Bounds of a call. A frame of sound is a second or less; clients send many small ones.
const (
	maxSound   = 64 << 10 // bytes of a frame of sound
	maxControl = 8 << 10  // bytes of a frame of JSON
	callLimit  = 2 * time.Hour
	helloLimit = 15 * time.Second // until the first frame
	// maxAhead is how much more sound a client may send than time has passed: after a lost
	// connection it sends again what was not written down.
	maxAhead = 2 * time.Minute
)

// voiceCall is one websocket of a page: a line.
type voiceCall struct {
	*Handlers
	conn    *websocket.Conn
	session sessions.Session
	rate    int
	opus    *audio.OpusDecoder // of the sound that comes; nil for PCM16
	began   time.Time
	samples int            // taken so far
	frame   bytes.Buffer   // the latest
	reader  sync.WaitGroup // ends with conn
}

// errNoSpeech tells that nothing on this server speaks or hears.
func errNoSpeech() error {
	return fault.New(fault.Unavailable, "speech is not set up on this server; type instead").Coded("no_speech")
}

// speaks reports whether calls can be held in any language.
func (s *Handlers) speaks() bool { return s.speaksIn("") }

// speaksIn reports whether calls can be held in a language, a BCP 47 tag.
func (s *Handlers) speaksIn(language string) bool {
	if s.Voice == nil {
		return false
	}
	v := s.Voice.In(language)
	return v.Speaks() != "" || v.Hears() != ""
}

// What a server may lack that has some speech.
const (
	lacksHearing = "hearing"
	lacksVoice   = "voice"
)

// lacksIn returns which half of speech there is none for in a language where there is the other;
// empty when there are both, or neither.
func (s *Handlers) lacksIn(language string) string {
	if !s.speaksIn(language) {
		return ""
	}
	switch v := s.Voice.In(language); {
	case v.Hears() == "":
		return lacksHearing
	case v.Speaks() == "":
		return lacksVoice
	}
	return ""
}

// voiceSocket holds a call about a session over a websocket: sound as binary frames of PCM16,
// everything else as JSON. docs/voice.md describes it.
func (s *Handlers) voiceSocket(w http.ResponseWriter, r *http.Request) error {
	if !s.speaks() {
		return errNoSpeech()
	}
	r, options, err := s.voiceCaller(r)
	if err != nil {
		return err
	}
	session, err := s.Session(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	if !s.speaksIn(session.Language) {
		return errNoSpeech()
	}
	closed, err := s.Streaming(r.Context())
	if err != nil {
		return err
	}
	defer closed()
	conn, err := websocket.Accept(w, r, options) // answers the request itself when it refuses
	if err != nil {
		return nil
	}
	conn.SetReadLimit(maxSound)
	v := &voiceCall{Handlers: s, conn: conn, session: session, began: time.Now()}
	defer v.reader.Wait()
	defer func() { _ = conn.CloseNow() }()
	end := v.held(r.Context())
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), web.WriteDeadline) // the reason is told even when the server closes
	defer cancel()
	v.bye(ctx, end)
	return nil
}

// voiceCaller returns r as that of who calls: the bearer of a ticket, wherever their page is
// from, or whoever may use the API.
func (s *Handlers) voiceCaller(r *http.Request) (*http.Request, *websocket.AcceptOptions, error) {
	if ticket := r.URL.Query().Get("ticket"); ticket != "" {
		ctx, session, err := s.withTicket(r.Context(), ticket)
		if err == nil && session != web.CanonicalID(r.PathValue("id")) {
			err = sessions.NoSession()
		}
		if err != nil {
			return nil, nil, err
		}
		return r.WithContext(ctx), &websocket.AcceptOptions{InsecureSkipVerify: true}, nil // the ticket proves what an origin would
	}
	if web.CrossOrigin(r) {
		return nil, nil, web.ErrCrossSite()
	}
	actor, came, err := s.ActorOf(r)
	if err != nil {
		return nil, nil, err
	}
	return r.WithContext(web.WithCredential(r.Context(), actor, came)), nil, nil
}

// bye tells why the call ends, unless the client has gone or knows, and closes it.
func (v *voiceCall) bye(ctx context.Context, end callEnd) {
	if end.event.Reason != "" && !end.told {
		_ = v.Tell(ctx, end.event) // who has gone needs no reason
	}
	reason := end.event.Detail
	_ = v.conn.Close(end.status, strings.ToValidUTF8(reason[:min(len(reason), 100)], ""))
}

// callEnd is why a call ends.
type callEnd struct {
	status websocket.StatusCode
	event  voice.EndEvent // without a reason when nobody is there to be told
	told   bool
}

// endOf returns what err, which ended a call, means for the client.
func (s *Handlers) endOf(ctx context.Context, err error) callEnd {
	var bad *badFrame
	var f *fault.Error
	switch {
	case errors.As(err, &bad):
		return callEnd{status: websocket.StatusPolicyViolation, event: voice.EndEvent{Reason: "protocol", Detail: bad.detail}}
	case errors.Is(err, errReplaced):
		return callEnd{status: websocket.StatusPolicyViolation, event: voice.EndEvent{Reason: "replaced", Detail: "this call goes on over another connection"}}
	case errors.Is(err, voice.ErrEnded):
		return callEnd{status: websocket.StatusNormalClosure, told: true}
	case errors.Is(err, errClosed) && ctx.Err() == nil:
		return callEnd{status: websocket.StatusNormalClosure}
	case web.LostAccess(err), errors.Is(err, errDismissed):
		return callEnd{status: websocket.StatusPolicyViolation, event: voice.EndEvent{Reason: "access", Detail: "the credential that opened this is no longer valid here"}}
	case errors.As(err, &f) && f.Kind == fault.Conflict:
		return callEnd{status: websocket.StatusPolicyViolation, event: voice.EndEvent{Reason: "busy", Detail: f.Message}}
	case errors.As(err, &f):
		return callEnd{status: websocket.StatusInternalError, event: voice.EndEvent{Reason: "failed", Detail: f.Message}}
	case errors.Is(err, context.DeadlineExceeded):
		return callEnd{status: websocket.StatusNormalClosure, event: voice.EndEvent{Reason: "too_long", Detail: "a call lasts two hours at most; begin another to go on"}}
	case ctx.Err() != nil:
		return callEnd{status: websocket.StatusGoingAway, event: voice.EndEvent{Reason: "closing", Detail: "the server is shutting down; the call goes on with another connection"}}
	}
	s.Log.ErrorContext(ctx, "a call ended", "err", err)
	return callEnd{status: websocket.StatusInternalError, event: voice.EndEvent{Reason: "failed", Detail: "something went wrong on the server; what was said is kept, and another call goes on with it"}}
}

// held holds the call, or watches, and returns why that ended.
func (v *voiceCall) held(ctx context.Context) callEnd {
	reading := context.WithoutCancel(ctx) // a read that is cancelled would close the line without a reason
	start, err := v.hello(reading)
	if err != nil {
		return v.endOf(ctx, err)
	}
	if start.Watch {
		limited, cancel := context.WithTimeout(ctx, callLimit)
		defer cancel()
		return v.endOf(ctx, v.watch(limited, reading, start))
	}
	o, err := v.asked(ctx, start)
	if err != nil {
		return v.endOf(ctx, err)
	}
	return v.hold(ctx, v.conn, v, o, &v.reader)
}

// hello reads the first frame, which must be start.
func (v *voiceCall) hello(ctx context.Context) (voiceFrame, error) {
	ctx, cancel := context.WithTimeout(ctx, helloLimit)
	defer cancel()
	kind, data, err := v.conn.Read(ctx)
	if err != nil {
		return voiceFrame{}, errClosed
	}
	if kind != websocket.MessageText {
		return voiceFrame{}, protocol("the first frame is JSON with the type start, before any sound")
	}
	f, err := readVoice(data)
	switch {
	case err != nil:
		return f, err
	case f.Type != "start":
		return f, protocol("the first frame has the type start")
	case f.Watch && !f.Listen:
		return f, nil
	case f.Rate != 16000 && f.Rate != 24000:
		return f, protocol("rate is 16000 or 24000 samples a second, of one channel")
	case f.Watch:
		return f, nil
	case f.Listen:
		return f, protocol("listen goes with watch: who speaks hears the replies anyway")
	case f.Codec != "" && f.Codec != plainSound && f.Codec != opusSound:
		return f, protocol("codec is pcm16 or opus")
	case !callName.MatchString(f.Call):
		return f, protocol("call is a name of 8 to 64 letters, digits and dashes that the client chooses, such as a UUID")
	case f.Utterance < 0 || f.Utterance > 1<<20:
		return f, protocol("utterance is the number of the next utterance, from 1 on")
	case f.Mode != "" && f.Mode != handsFree && f.Mode != pushToTalk:
		return f, protocol("mode is hands_free or push")
	}
	return f, nil
}

// asked returns the options of the call that start asks for.
func (v *voiceCall) asked(ctx context.Context, start voiceFrame) (lineOptions, error) {
	o := lineOptions{session: v.session, name: start.Call, rate: start.Rate, push: start.Mode == pushToTalk, muted: start.Muted, utterance: start.Utterance, after: -1}
	if _, err := v.mayTalk(ctx, v.session.ID); err != nil { // an observer only watches
		return o, err
	}
	v.rate = start.Rate
	if start.Codec == opusSound {
		var err error
		if v.opus, err = audio.NewOpusDecoder(v.rate); err != nil {
			return o, err
		}
	}
	if start.After == nil {
		return o, nil
	}
	head, err := sessions.Head(ctx, v.Pool, v.session.Scope())
	if err != nil {
		return o, err
	}
	o.rest = start.Rest
	if o.after = *start.After; o.after < 0 || o.after > head {
		return o, protocol("after is the number of the last event that the client has; leave it out to begin at the last reply")
	}
	return o, nil
}

// read takes frames until the client leaves or sends one that cannot be.
func (v *voiceCall) read(ctx context.Context, call *voice.Call) error {
	for {
		kind, data, err := v.next(ctx)
		switch {
		case websocket.CloseStatus(err) == -1 && errors.Is(err, websocket.ErrMessageTooBig):
			return protocol("a frame has at most 64 KiB")
		case err != nil:
			return errClosed
		case kind == websocket.MessageBinary:
			err = v.sound(call, data)
		default:
			err = control(call, data)
		}
		if err != nil {
			return err
		}
	}
}

// next reads a frame, which is valid until the next one.
func (v *voiceCall) next(ctx context.Context) (websocket.MessageType, []byte, error) {
	kind, r, err := v.conn.Reader(ctx)
	if err != nil {
		return 0, nil, err
	}
	v.frame.Reset()
	_, err = v.frame.ReadFrom(r)
	return kind, v.frame.Bytes(), err
}

// sound takes a frame of sound.
func (v *voiceCall) sound(call *voice.Call, data []byte) error {
	samples, err := v.samplesOf(data)
	if err != nil {
		return protocol(err.Error())
	}
	v.samples += len(samples)
	if audio.Duration(v.samples, v.rate) > time.Since(v.began)+maxAhead {
		return protocol("there is more sound than time; sound is sent as it is recorded, at the rate of start")
	}
	call.Hear(samples)
	return nil
}

// samplesOf returns the samples of a frame of sound.
func (v *voiceCall) samplesOf(data []byte) ([]int16, error) {
	if v.opus != nil {
		return v.opus.Decode(nil, data)
	}
	return audio.Decode(make([]int16, 0, len(data)/2), data)
}

// control does what a frame of JSON asks for.
func control(call *voice.Call, data []byte) error {
	f, err := readVoice(data)
	if err != nil {
		return err
	}
	switch f.Type {
	case "played":
		call.Played(f.Turn, time.Duration(f.At)*time.Millisecond)
	case "mute":
		call.Mute(f.Muted)
	case "mode":
		call.PushToTalk(f.Mode == pushToTalk)
	case "press":
		call.Press()
	case "release":
		call.Release()
	case "interrupt":
		call.Interrupt()
	case "consent":
		call.Consent(f.Allowed)
	default:
		return protocol("a frame's type is played, mute, mode, press, release, interrupt or consent")
	}
	return nil
}

// Play sends sound.
func (v *voiceCall) Play(ctx context.Context, samples []int16) error {
	data := audio.Encode(make([]byte, 0, 2*len(samples)), samples)
	return inTime(ctx, func(ctx context.Context) error { return v.conn.Write(ctx, websocket.MessageBinary, data) })
}

// Tell sends what happens in the call.
func (v *voiceCall) Tell(ctx context.Context, e voice.Event) error {
	return write(ctx, v.conn, voice.Encode(e))
}

// Log sends an event of the session.
func (v *voiceCall) Log(ctx context.Context, e sessions.Event) error {
	return write(ctx, v.conn, numbered(e))
}

package talk

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"quaestor/chat/voice"
	"quaestor/internal/audio"
	"quaestor/sessions"
)

// telephoneRate is that of telephone networks, in samples a second.
const telephoneRate = 8000

// mediaFrame is a frame of a media stream: the JSON with which telephony providers carry the
// sound of a call over a websocket. Fields that are not needed are not read.
type mediaFrame struct {
	Event     string `json:"event"` // connected, start, media, mark, dtmf or stop
	StreamSID string `json:"streamSid"`
	Start     struct {
		StreamSID   string            `json:"streamSid"`
		CallSID     string            `json:"callSid"`
		Parameters  map[string]string `json:"customParameters"` // ticket; or session, with a token in the header
		MediaFormat struct {
			Encoding   string `json:"encoding"`
			SampleRate int    `json:"sampleRate"`
			Channels   int    `json:"channels"`
		} `json:"mediaFormat"`
	} `json:"start"`
	Media struct {
		Track   string `json:"track"`
		Payload string `json:"payload"`
	} `json:"media"`
	Mark struct {
		Name string `json:"name"`
	} `json:"mark"`
}

// telephone is a call over a media stream.
type telephone struct {
	conn   *websocket.Conn
	stream string
	began  time.Time

	samples int           // taken so far
	stopped chan playedAt // what was heard of replies that were stopped

	mu         sync.Mutex
	sent       int // samples of the stream that were sent; guarded by mu, as is all below
	played     int // of them, those that the network says were played
	reply      int // sample of the stream at which the reply began
	generation int // rises when the network is told to drop what it has
}

// playedAt is how much of the reply of a turn was played.
type playedAt struct {
	turn int
	at   time.Duration
}

// mediaStream holds a call of a telephone. The provider's websocket has no credential: that
// is a ticket among the parameters of the frame "start". Nothing is done before it.
func (s *Handlers) mediaStream(w http.ResponseWriter, r *http.Request) error {
	if !s.speaks() {
		return errNoSpeech()
	}
	conn, err := websocket.Accept(w, r, nil) // answers the request itself when it refuses
	if err != nil {
		return nil
	}
	defer s.Metrics.StreamOpened()()
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(maxSound)
	ctx, start, session, err := s.called(r, conn)
	if err != nil {
		hangUpFor(conn, s.endOf(r.Context(), err))
		return nil
	}
	t := &telephone{conn: conn, stream: start.Start.StreamSID, began: time.Now(), stopped: make(chan playedAt, 8)}
	s.converse(ctx, conn, t, lineOptions{session: session, name: "tel-" + safeName(start.Start.CallSID+start.Start.StreamSID), rate: telephoneRate, after: -1})
	return nil
}

// called reads the beginning of a media stream, and returns ctx as that of who calls, and the
// session in which they talk.
func (s *Handlers) called(r *http.Request, conn *websocket.Conn) (context.Context, mediaFrame, sessions.Session, error) {
	start, err := greeted(context.WithoutCancel(r.Context()), conn)
	if err != nil {
		return nil, start, sessions.Session{}, err
	}
	ctx, id, err := s.caller(r, start)
	if err != nil {
		return nil, start, sessions.Session{}, err
	}
	session, err := s.mayTalk(ctx, id)
	return ctx, start, session, err
}

// safeName returns the letters and digits of a name, the first 50.
func safeName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, name)
	return name[:min(len(name), 50)]
}

// caller returns ctx as that of who calls, and the session of the call.
func (s *Handlers) caller(r *http.Request, start mediaFrame) (context.Context, string, error) {
	ticket := start.Start.Parameters["ticket"]
	if token := bearer(r); ticket == "" && token != "" && !isTicket(token) {
		ctx, _, err := s.identified(r, token)
		return ctx, start.Start.Parameters["session"], err
	}
	return s.withTicket(r.Context(), ticket)
}

// greeted reads up to the frame "start".
func greeted(ctx context.Context, conn *websocket.Conn) (mediaFrame, error) {
	ctx, cancel := context.WithTimeout(ctx, helloLimit)
	defer cancel()
	for range 2 { // connected, start
		f, err := readMedia(ctx, conn)
		switch {
		case err != nil:
			return f, err
		case f.Event == "connected":
			continue
		case f.Event != "start":
			return f, protocol("a media stream begins with the events connected and start")
		}
		format := f.Start.MediaFormat
		if format.Encoding != "audio/x-mulaw" || format.SampleRate != telephoneRate || format.Channels != 1 {
			return f, protocol("the sound of a media stream is audio/x-mulaw, 8000 samples a second, one channel")
		}
		if f.Start.StreamSID == "" {
			f.Start.StreamSID = f.StreamSID
		}
		if f.Start.StreamSID == "" {
			return f, protocol("start names the stream as streamSid")
		}
		return f, nil
	}
	return mediaFrame{}, protocol("connected comes once")
}

// readMedia reads one frame.
func readMedia(ctx context.Context, conn *websocket.Conn) (mediaFrame, error) {
	var f mediaFrame
	kind, data, err := conn.Read(ctx)
	switch {
	case errors.Is(err, websocket.ErrMessageTooBig):
		return f, protocol("a frame has at most 64 KiB")
	case err != nil:
		return f, errClosed
	case kind != websocket.MessageText:
		return f, protocol("frames of a media stream are JSON; sound is base64 in them")
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return f, protocol("a frame of a media stream is a JSON object with an event")
	}
	return f, nil
}

// read takes frames until the call is over.
func (t *telephone) read(ctx context.Context, call *voice.Call) error {
	done := make(chan struct{})
	var reports sync.WaitGroup
	defer reports.Wait()
	defer close(done)
	reports.Go(func() { // apart from what it tells, which waits for the call
		for {
			select {
			case p := <-t.stopped:
				call.Played(p.turn, p.at)
			case <-done:
				return
			}
		}
	})
	for {
		f, err := readMedia(ctx, t.conn)
		if err != nil {
			return err
		}
		if f.StreamSID != "" && f.StreamSID != t.stream {
			return protocol("this connection is for the stream of its start")
		}
		switch f.Event {
		case "media":
			err = t.sound(call, f)
		case "mark":
			t.marked(f.Mark.Name)
		case "stop":
			return errClosed
		case "start", "connected":
			err = protocol("a media stream begins once")
		}
		if err != nil {
			return err
		}
	}
}

// sound takes what the caller says. What is said to them comes back as another track of some
// providers.
func (t *telephone) sound(call *voice.Call, f mediaFrame) error {
	if f.Media.Track == "outbound" {
		return nil
	}
	codes, err := base64.StdEncoding.DecodeString(f.Media.Payload)
	if err != nil || len(codes) == 0 {
		return protocol("the payload of media is sound in base64")
	}
	t.samples += len(codes)
	if audio.Duration(t.samples, telephoneRate) > time.Since(t.began)+maxAhead {
		return protocol("there is more sound than time; sound is sent as it is recorded")
	}
	call.Hear(audio.DecodeMuLaw(nil, codes))
	return nil
}

// marked notes how far the network has played: a mark comes back once the sound before it was
// played, or was dropped.
func (t *telephone) marked(name string) {
	generation, sample, _ := strings.Cut(name, ":")
	t.mu.Lock()
	defer t.mu.Unlock()
	if n, err := strconv.Atoi(sample); err == nil && generation == strconv.Itoa(t.generation) {
		t.played = max(t.played, min(n, t.sent))
	}
}

// Play sends sound, and a mark after it.
func (t *telephone) Play(ctx context.Context, samples []int16) error {
	t.mu.Lock()
	t.sent += len(samples)
	mark := strconv.Itoa(t.generation) + ":" + strconv.Itoa(t.sent)
	t.mu.Unlock()
	payload := base64.StdEncoding.EncodeToString(audio.EncodeMuLaw(nil, samples))
	if err := t.send(ctx, map[string]any{"event": "media", "streamSid": t.stream, "media": map[string]string{"payload": payload}}); err != nil {
		return err
	}
	return t.send(ctx, map[string]any{"event": "mark", "streamSid": t.stream, "mark": map[string]string{"name": mark}})
}

func (t *telephone) send(ctx context.Context, frame map[string]any) error {
	data, err := json.Marshal(frame)
	if err != nil {
		return err
	}
	return write(ctx, t.conn, data)
}

// Tell lets the network drop the sound that it has when the reply is stopped, and notes how
// much of it was heard.
func (t *telephone) Tell(ctx context.Context, e voice.Event) error {
	switch e := e.(type) {
	case voice.CaptionEvent:
		t.mu.Lock()
		t.reply = t.sent - e.At*telephoneRate/1000
		t.mu.Unlock()
	case voice.ResumeEvent:
		t.mu.Lock()
		t.reply = t.sent - e.At*telephoneRate/1000
		t.mu.Unlock()
	case voice.StopEvent:
		t.mu.Lock()
		heard := playedAt{e.Turn, audio.Duration(max(t.played-t.reply, 0), telephoneRate)}
		t.sent = t.played
		t.generation++
		t.mu.Unlock()
		select {
		case t.stopped <- heard:
		default: // the clock of the call will do
		}
		return t.send(ctx, map[string]any{"event": "clear", "streamSid": t.stream})
	}
	return nil
}

// Log does nothing: a telephone has no page.
func (t *telephone) Log(context.Context, sessions.Event) error { return nil }

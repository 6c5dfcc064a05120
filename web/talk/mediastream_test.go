package talk_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"quaestor/internal/audio"
	"quaestor/internal/speech/speechtest"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

// provider is the websocket of a telephony provider. It plays what it gets at once.
type provider struct {
	t    testing.TB
	ctx  context.Context
	conn *websocket.Conn
}

// told is a frame that the provider gets.
type told struct {
	Event     string
	StreamSID string `json:"streamSid"`
	Media     struct{ Payload string }
	Mark      struct{ Name string }
}

func dialMedia(w *webtest.World) *provider {
	w.T.Helper()
	ctx, cancel := context.WithTimeout(w.T.Context(), webtest.Patience)
	conn, _, err := websocket.Dial(ctx, strings.Replace(w.URL, "http", "ws", 1)+"/api/v1/media-stream", nil)
	if err != nil {
		w.T.Fatal(err)
	}
	w.T.Cleanup(func() { _ = conn.CloseNow(); cancel() })
	return &provider{w.T, ctx, conn}
}

func (p *provider) send(frame string) {
	p.t.Helper()
	if err := p.conn.Write(p.ctx, websocket.MessageText, []byte(frame)); err != nil {
		p.t.Fatal(err)
	}
}

// start is the frame with which a stream begins.
func start(ticket string) string {
	return `{"event":"start","sequenceNumber":"1","streamSid":"MZ1","start":{"streamSid":"MZ1","callSid":"CA1","accountSid":"AC1","tracks":["inbound"],` +
		`"customParameters":{"ticket":"` + ticket + `"},"mediaFormat":{"encoding":"audio/x-mulaw","sampleRate":8000,"channels":1}}}`
}

// says sends sound in frames of 20 ms.
func (p *provider) says(samples []int16) {
	p.t.Helper()
	codes := audio.EncodeMuLaw(nil, samples)
	for n := 1; len(codes) > 0; n++ {
		size := min(len(codes), 160)
		p.send(fmt.Sprintf(`{"event":"media","streamSid":"MZ1","media":{"track":"inbound","chunk":"%d","payload":"%s"}}`, n, base64.StdEncoding.EncodeToString(codes[:size])))
		codes = codes[size:]
	}
}

// until reads up to the first frame of that event, answers marks, and returns how many
// samples came before.
func (p *provider) until(event string) (samples int) {
	p.t.Helper()
	for {
		_, raw, err := p.conn.Read(p.ctx)
		if err != nil {
			p.t.Fatalf("%s never came: %v", event, err)
		}
		var f told
		if err := json.Unmarshal(raw, &f); err != nil || f.StreamSID != "MZ1" {
			p.t.Fatalf("got %s, %v", raw, err)
		}
		switch f.Event {
		case "media":
			codes, err := base64.StdEncoding.DecodeString(f.Media.Payload)
			if err != nil {
				p.t.Fatal(err)
			}
			samples += len(codes)
		case "mark":
			p.send(`{"event":"mark","streamSid":"MZ1","mark":{"name":"` + f.Mark.Name + `"}}`)
		}
		if f.Event == event {
			return samples
		}
	}
}

// ticketFor makes a ticket for a call of a session.
func ticketFor(w *webtest.World, id string) string {
	w.T.Helper()
	made := webtest.Fetch[talk.CallTicketBody](w, http.StatusCreated, webtest.Request{Method: http.MethodPost, Path: "/api/v1/sessions/" + id + "/call-tickets"})
	if made.SessionID != id || made.Ticket == "" {
		w.T.Fatalf("the ticket is %+v", made)
	}
	return made.Ticket
}

func TestTelephoneTalks(t *testing.T) {
	t.Parallel()

	w, id, _ := calling(t, "We bake bread for the cafés in our town")
	before, ticket := transcript(w, id), ticketFor(w, id)
	p := dialMedia(w)
	p.send(`{"event":"connected","protocol":"Call","version":"1.0.0"}`)
	p.send(start(ticket))
	p.until("media")

	p.says(make([]int16, 8000/2))
	p.says(speechtest.Voice(1, 8000))
	p.until("clear") // what the caller says stops the interviewer
	p.says(make([]int16, 8000*3))
	p.until("media")

	list := transcript(w, id)
	for len(list) < len(before)+2 { // the reply is recorded while its sound still comes
		p.until("media")
		list = transcript(w, id)
	}
	if list[len(before)].Content != "We bake bread for the cafés in our town" {
		t.Errorf("the transcript is %+v", list)
	}
	if !list[0].Interrupted {
		t.Errorf("the interruption is not recorded: %+v", list[0])
	}
	p.send(`{"event":"stop","streamSid":"MZ1","stop":{"callSid":"CA1"}}`)
	for {
		if _, _, err := p.conn.Read(p.ctx); err != nil {
			if websocket.CloseStatus(err) != websocket.StatusNormalClosure {
				t.Errorf("it is closed with %v", err)
			}
			return
		}
	}
}

func TestMediaStreamThatCannotBeIsClosedWithAReason(t *testing.T) {
	t.Parallel()

	w, id, _ := calling(t)
	other := webtest.Open(t, webtest.Terms{})
	used := ticketFor(w, id)
	first := dialMedia(w)
	first.send(start(used))
	first.until("media")
	_ = first.conn.CloseNow()

	wrong := func(from, to string) string { return strings.Replace(start(ticketFor(w, id)), from, to, 1) }
	for _, tt := range []struct {
		name   string
		kind   websocket.MessageType
		frames []string
		says   string
	}{
		{"no ticket", websocket.MessageText, []string{start("")}, "credential"},
		{"half a ticket", websocket.MessageText, []string{start("qsc_AAAA")}, "credential"},
		{"used ticket", websocket.MessageText, []string{start(used)}, "credential"},
		{"ticket of another server", websocket.MessageText, []string{start(ticketFor(other, other.Begin("business_profile")))}, "credential"},
		{"sound first", websocket.MessageText, []string{`{"event":"media","media":{"payload":"AAAA"}}`}, "start"},
		{"another rate", websocket.MessageText, []string{wrong("8000", "16000")}, "8000 samples"},
		{"another format", websocket.MessageText, []string{wrong("audio/x-mulaw", "audio/opus")}, "audio/x-mulaw"},
		{"two channels", websocket.MessageText, []string{wrong(`"channels":1`, `"channels":2`)}, "one channel"},
		{"no stream", websocket.MessageText, []string{strings.ReplaceAll(start("x"), `"streamSid":"MZ1",`, "")}, "streamSid"},
		{"binary", websocket.MessageBinary, []string{"\x00"}, "JSON"},
		{"no JSON", websocket.MessageText, []string{"hello"}, "JSON"},
		{"no base64", websocket.MessageText, []string{wrong("", ""), `{"event":"media","streamSid":"MZ1","media":{"payload":"%"}}`}, "base64"},
		{"begins twice", websocket.MessageText, []string{wrong("", ""), start("x")}, "once"},
		{"another stream", websocket.MessageText, []string{wrong("", ""), `{"event":"media","streamSid":"MZ2","media":{"payload":"AAAA"}}`}, "stream"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := dialMedia(w)
			p.t = t
			for _, f := range tt.frames {
				if err := p.conn.Write(p.ctx, tt.kind, []byte(f)); err != nil {
					t.Fatal(err)
				}
			}
			for {
				_, _, err := p.conn.Read(p.ctx)
				if err == nil {
					continue
				}
				if got := websocket.CloseStatus(err); got != websocket.StatusPolicyViolation || !strings.Contains(err.Error(), tt.says) {
					t.Errorf("it is closed with %v, want something about %q", err, tt.says)
				}
				return
			}
		})
	}
}

func TestTicketIsForThoseWhoTalk(t *testing.T) {
	t.Parallel()

	w, _, _ := calling(t)
	webtest.CheckRefusal(t, w, webtest.Refusal{Status: http.StatusNotFound, Request: webtest.Request{Method: http.MethodPost, Path: "/api/v1/sessions/0b0f6e0e-0000-4000-8000-000000000000/call-tickets"}})
}

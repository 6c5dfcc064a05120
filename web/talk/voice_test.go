package talk_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"quaestor/chat/voice"
	"quaestor/internal/audio"
	"quaestor/internal/auth"
	"quaestor/internal/prerequisite"
	"quaestor/internal/speech"
	"quaestor/internal/speech/speechtest"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

// hello opens a call of somebody who pushes to talk.
const hello = `{"type":"start","rate":16000,"mode":"push","call":"one-call"}`

// calling sets up a session with a server that hears these texts by their numbers.
func calling(t *testing.T, texts ...string) (*webtest.World, string, *speechtest.Server) {
	t.Helper()
	api := speechtest.New(t, texts...)
	w := webtest.Open(t, webtest.Terms{Voice: speech.New(speech.Options{URL: api.URL})})
	return w, w.Begin("business_profile"), api
}

// transcript returns the messages of a session.
func transcript(w *webtest.World, id string) []sessions.Message {
	w.T.Helper()
	list, err := sessions.Transcript(w.T.Context(), w.Pool, obligations.Scope{Tenant: w.Tenant, Session: id}, 0, 0)
	if err != nil {
		w.T.Fatal(err)
	}
	return list
}

// said is the sound of a text, by its number.
func said(n int) []int16 { return speechtest.Sound(n, 16000, time.Second) }

// listening reads until everything was said, and returns what came.
func listening(c *webtest.Call) []webtest.Told {
	c.T.Helper()
	return c.Until("state state=listening")
}

// silenced breaks off the reply that is being played.
func silenced(c *webtest.Call) {
	c.T.Helper()
	c.Until("caption")
	c.Send(`{"type":"interrupt"}`)
	stop := webtest.Last[voice.StopEvent](c.T, c.Until("stop"))
	c.Send(fmt.Sprintf(`{"type":"played","turn":%d,"ms":60000}`, stop.Turn))
	listening(c)
}

func TestCallIsATurnLikeAnyOther(t *testing.T) {
	t.Parallel()

	w, id, api := calling(t, "We bake bread for the cafés in our town")
	c := w.Voice(id, hello)
	ready := webtest.Last[voice.ReadyEvent](t, c.Until("ready"))
	if !ready.Speaks || !ready.Hears || !ready.Talks || ready.Rate != 16000 || ready.Utterance != 1 {
		t.Errorf("the call begins as %+v", ready)
	}
	silenced(c)
	first := transcript(w, id)

	c.Press(said(1))

	heard := webtest.Last[voice.HeardEvent](t, c.Until("heard"))
	if heard.Text != "We bake bread for the cafés in our town" || !heard.Answer || heard.Utterance != 1 {
		t.Errorf("it heard %+v", heard)
	}
	session := webtest.Last[sessions.SessionEvent](t, c.Until("session"))
	if session.Message != heard.Text || session.ClientID != "voice-one-call-1" {
		t.Errorf("the turn is %+v", session)
	}
	captions := strings.Join(captionsOf(c.Until("spoken")), " ")
	list := transcript(w, id)
	reply := list[len(list)-1]
	if len(list) != len(first)+2 || strings.Join(strings.Fields(reply.Content), " ") != captions {
		t.Errorf("it said %q; the transcript ends with %q", captions, reply.Content)
	}
	if got := strings.Join(api.Spoken(), " "); !strings.HasSuffix(got, captions) {
		t.Errorf("the voice said %q, want %q at its end", got, captions)
	}
}

// captionsOf returns the sentences that were spoken.
func captionsOf(events []webtest.Told) []string {
	var out []string
	for _, e := range webtest.Pick(events, "caption") {
		out = append(out, fmt.Sprint(e.Data["text"]))
	}
	return out
}

func TestReplyThatIsInterruptedIsWhatWasHeard(t *testing.T) {
	t.Parallel()

	w, id, _ := calling(t, "We bake bread for the cafés in our town")
	c := w.Voice(id, hello)
	caption := webtest.Last[voice.CaptionEvent](t, c.Until("caption"))

	c.Hears(14000) // samples
	c.Send(`{"type":"press"}`)
	stop := webtest.Last[voice.StopEvent](t, c.Until("stop"))
	if stop.Turn != caption.Turn {
		t.Errorf("turn %d is stopped, want %d", stop.Turn, caption.Turn)
	}
	total := time.Duration(len(strings.Fields(caption.Text))) * speechtest.Word
	c.Send(fmt.Sprintf(`{"type":"played","turn":%d,"ms":%d}`, stop.Turn, (total / 4).Milliseconds()))
	c.Play(said(1))
	c.Send(`{"type":"release"}`)
	told := webtest.Last[sessions.InterruptionEvent](t, c.Until("interruption"))

	want := audio.Played(caption.Text, total, total/4)
	if told.Content != want || !told.Unasked {
		t.Errorf("what was heard is %+v, want %q and nothing asked", told, want)
	}
	c.Until("session")
	list := transcript(w, id)
	if list[0].Content != want || !list[0].Interrupted {
		t.Errorf("the transcript begins with %+v, want %q", list[0], want)
	}
	resp := w.Do(webtest.Request{Path: "/s/" + id})
	if page, _ := io.ReadAll(resp.Body); !strings.Contains(string(page), "Interrupted here") {
		t.Errorf("the page does not tell of the interruption: %s", page)
	}
}

func TestCoughsStopAReplyOnlyForAMoment(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ name, text string }{{"no words", ""}, {"a sound of listening", "Mhm."}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			w, id, _ := calling(t, tt.text)
			c := w.Voice(id, hello)
			c.Until("caption")
			c.Send(`{"type":"press"}`)
			stop := webtest.Last[voice.StopEvent](t, c.Until("stop"))
			c.Send(fmt.Sprintf(`{"type":"played","turn":%d,"ms":40}`, stop.Turn))
			c.Play(said(1))
			c.Send(`{"type":"release"}`)

			if heard := webtest.Last[voice.HeardEvent](t, c.Until("heard")); heard.Answer || heard.Text != tt.text {
				t.Errorf("it heard %+v", heard)
			}
			if resumed := webtest.Last[voice.ResumeEvent](t, c.Until("resume")); resumed.Turn != stop.Turn || resumed.At > 40 {
				t.Errorf("it goes on at %+v", resumed)
			}
			c.Hears(1600)
			if list := transcript(w, id); len(list) != 1 || list[0].Interrupted {
				t.Errorf("the transcript is %+v", list)
			}
		})
	}
}

func TestNoiseIsAskedAboutAndThenTypingOffered(t *testing.T) {
	t.Parallel()

	w, id, _ := calling(t)
	c := w.Voice(id, hello)
	silenced(c)
	seen := map[string]bool{}
	for n := 1; n <= 3; n++ {
		c.Press(said(0))
		r := webtest.Last[voice.ReminderEvent](t, c.Until("reminder"))
		if r.Count != n || r.Typing != (n == 3) || r.Text == "" || seen[r.Text] {
			t.Errorf("reminder %d is %+v", n, r)
		}
		seen[r.Text] = true
		if caption := webtest.Last[voice.CaptionEvent](t, c.Until("caption")); caption.Text != r.Text || caption.Turn != 0 {
			t.Errorf("it says %+v, want %q", caption, r.Text)
		}
		c.Send(`{"type":"interrupt"}`)
		listening(c)
	}
	if list := transcript(w, id); len(list) != 1 {
		t.Errorf("noise made %d messages", len(list))
	}
}

func TestSpeechThatFailsLeavesWriting(t *testing.T) {
	t.Parallel()

	w, id, api := calling(t, "We bake bread", "It is for cafés")
	c := w.Voice(id, hello)
	silenced(c)
	api.Break(http.StatusServiceUnavailable, http.StatusServiceUnavailable)

	c.Press(said(1))
	if e := webtest.Last[voice.TroubleEvent](t, c.Until("trouble")); e.With != "hearing" || e.Code != "speech_status" || !strings.Contains(e.Detail, "type") {
		t.Errorf("it tells %+v", e)
	}
	w.Say(talk.TurnBody{SessionID: id, Message: "We bake bread"})
	if e := webtest.Last[voice.TroubleEvent](t, c.Until("trouble")); e.With != "speaking" {
		t.Errorf("it tells %+v", e)
	}
	listening(c)
	api.Break(http.StatusOK, http.StatusOK)
	c.Press(said(2))
	if e := webtest.Last[sessions.SessionEvent](t, c.Until("session")); e.Message != "It is for cafés" {
		t.Errorf("the next turn is %+v", e)
	}
	c.Until("caption")
}

func TestCallThatComesBackSaysNothingTwice(t *testing.T) {
	t.Parallel()

	w, id, _ := calling(t, "We bake bread for the cafés in our town", "There are nine of us")
	c := w.Voice(id, hello)
	silenced(c)
	c.Press(said(1))
	session := c.Until("session")
	after := session[len(session)-1].ID
	_ = c.Conn.CloseNow() // before it is known what came of it

	c = w.Voice(id, `{"type":"start","rate":24000,"mode":"push","call":"one-call","utterance":1,"after":`+after+`}`)
	c.Rate = 24000
	if ready := webtest.Last[voice.ReadyEvent](t, c.Until("ready")); ready.Utterance != 2 {
		t.Errorf("it waits for utterance %d, want 2: the first was taken", ready.Utterance)
	}
	if caption := webtest.Last[voice.CaptionEvent](t, c.Until("caption")); caption.Turn != 2 {
		t.Errorf("it goes on with %+v, want the reply that was not heard", caption)
	}
	c.Press(speechtest.Sound(2, 24000, time.Second))
	if e := webtest.Last[sessions.SessionEvent](t, c.Until("session")); e.ClientID != "voice-one-call-2" {
		t.Errorf("the next turn is %+v", e)
	}
}

// opusHello opens a call whose sound comes as Opus.
const opusHello = `{"type":"start","rate":16000,"mode":"push","call":"one-call","codec":"opus"}`

// Sound may come as packets of Opus.
func TestSoundMayComeAsOpus(t *testing.T) {
	t.Parallel()

	w, id, api := calling(t)
	c := w.Voice(id, opusHello)
	silenced(c)
	packets, err := os.ReadFile("../../internal/audio/testdata/opus/hybrid-32.packets")
	if err != nil {
		t.Fatal(err)
	}
	sent := 0
	c.Send(`{"type":"press"}`)
	for ; len(packets) > 2; sent++ {
		n := int(binary.LittleEndian.Uint16(packets))
		if err := c.Conn.Write(c.Ctx, websocket.MessageBinary, packets[2:2+n]); err != nil {
			t.Fatal(err)
		}
		packets = packets[2+n:]
	}
	c.Send(`{"type":"release"}`)
	c.Until("heard")
	if got, want := api.HeardFor(), time.Duration(sent)*20*time.Millisecond; got != want {
		t.Errorf("%s of sound were heard, want %s", got, want)
	}
}

func TestOneSpeaksAtATimeAndOthersWatch(t *testing.T) {
	t.Parallel()

	w, id, _ := calling(t, "We bake bread")
	c := w.Voice(id, hello)
	silenced(c)

	second := w.Voice(id, strings.Replace(hello, "one-call", "two-calls", 1))
	if end := webtest.Last[voice.EndEvent](t, second.Until("end")); end.Reason != "busy" || end.Detail == "" {
		t.Errorf("the second talker is told %+v", end)
	}
	watcher := w.Voice(id, `{"type":"start","watch":true}`)
	if ready := webtest.Last[voice.ReadyEvent](t, watcher.Until("ready")); ready.Talks {
		t.Errorf("the watcher may talk: %+v", ready)
	}
	watcher.Until("done")
	c.Press(said(1))
	if e := webtest.Last[sessions.SessionEvent](t, watcher.Until("session")); e.Message != "We bake bread" {
		t.Errorf("the watcher sees %+v", e)
	}
	third := w.Voice(id, hello) // the same call, from elsewhere
	third.Until("ready")
	if end := webtest.Last[voice.EndEvent](t, c.Until("end")); end.Reason != "replaced" {
		t.Errorf("the connection before is told %+v", end)
	}
}

// Somebody who watches may listen: the replies are spoken to them as well, wherever the call is
// held, and their line takes nobody's turn.
func TestOthersMayListen(t *testing.T) {
	t.Parallel()

	w, id, api := calling(t, "We bake bread", "Wait a moment please")
	here, there := w.Hasty(), w.Hasty() // two servers of one database
	c := here.Voice(id, hello)
	silenced(c)
	listener := there.Voice(id, `{"type":"start","watch":true,"listen":true,"rate":24000}`)
	if ready := webtest.Last[voice.ReadyEvent](t, listener.Until("ready")); ready.Talks || ready.Hears || !ready.Speaks || ready.Rate != 24000 {
		t.Errorf("the listener is told %+v", ready)
	}
	listener.Until("done") // of the opening, which is not said again
	before := len(api.Spoken())

	c.Press(said(1))
	first := webtest.Last[voice.CaptionEvent](t, listener.Until("caption"))
	listener.Hears(2400)
	if mine := webtest.Last[voice.CaptionEvent](t, c.Until("caption")); mine.Turn != first.Turn || mine.Text != first.Text {
		t.Errorf("the listener hears %+v, the speaker %+v", first, mine)
	}
	if now := len(api.Spoken()); now <= before {
		t.Errorf("nothing was said to the listener")
	}
	c.Press(said(2)) // who breaks in ends it for everybody
	listener.Until("interruption")
	if stop := webtest.Last[voice.StopEvent](t, listener.Until("stop")); stop.Turn != first.Turn {
		t.Errorf("turn %d is stopped for the listener, want %d", stop.Turn, first.Turn)
	}
}

func TestOneSpeaksAtATimeOnAllServers(t *testing.T) {
	t.Parallel()

	w, id, _ := calling(t)
	here, there := w.Hasty(), w.Hasty() // two servers of one database
	c := here.Voice(id, hello)
	c.Until("caption")

	second := there.Voice(id, strings.Replace(hello, "one-call", "two-calls", 1))
	if end := webtest.Last[voice.EndEvent](t, second.Until("end")); end.Reason != "busy" {
		t.Errorf("the second talker is told %+v on another server", end)
	}
	again := there.Voice(id, hello) // the same call comes back elsewhere
	again.Until("ready")
	if end := webtest.Last[voice.EndEvent](t, c.Until("end")); end.Reason != "replaced" {
		t.Errorf("the connection before is told %+v", end)
	}
	again.Until("caption")
	_ = again.Conn.Close(websocket.StatusNormalClosure, "")
	comesIn(t, here, id)
}

// comesIn calls until nobody else speaks.
func comesIn(t *testing.T, w *webtest.World, id string) {
	t.Helper()
	for until := time.Now().Add(webtest.Patience); time.Now().Before(until); {
		next := w.Voice(id, strings.Replace(hello, "one-call", "next-call", 1))
		if first := next.Next(); first.Type == "ready" {
			return
		} else if first.Data["reason"] != "busy" {
			t.Fatalf("it is told %s", first.Raw)
		}
		_ = next.Conn.CloseNow() // thousands of them would be open else
	}
	t.Fatal("nobody may speak after the end of a call")
}

// A line that is open on one side only, as a network leaves it that goes away without a word,
// is noticed, and the next may speak.
func TestLineThatIsHalfOpenIsLetGo(t *testing.T) {
	t.Parallel()

	w, id, _ := calling(t)
	hasty := w.Hasty()
	c := hasty.Voice(id, hello)
	c.Until("ready") // and reads nothing from here on, so that no ping is answered
	comesIn(t, hasty, id)
}

func TestFramesThatCannotBeEndTheCallWithAReason(t *testing.T) {
	t.Parallel()

	w, id, _ := calling(t)
	before := len(transcript(w, id))
	for _, tt := range []struct {
		name, start string
		kind        websocket.MessageType
		frame       string
		says        string
	}{
		{"sound first", "", websocket.MessageBinary, "\x00\x00", "start"},
		{"no start", `{"type":"press"}`, 0, "", "start"},
		{"rate of telephones", `{"type":"start","rate":8000,"call":"one-call"}`, 0, "", "16000"},
		{"unknown codec", `{"type":"start","rate":16000,"call":"one-call","codec":"mp3"}`, 0, "", "opus"},
		{"no packet of Opus", opusHello, websocket.MessageBinary, "\x4a\xff", "packet of Opus"},
		{"no name", `{"type":"start","rate":16000}`, 0, "", "call"},
		{"event to come", `{"type":"start","rate":16000,"call":"one-call","after":9999999}`, 0, "", "after"},
		{"half a sample", hello, websocket.MessageBinary, "\x00", "PCM16"},
		{"text on the channel of sound", hello, websocket.MessageText, "hello?", "JSON"},
		{"unknown type", hello, websocket.MessageText, `{"type":"dance"}`, "type"},
		{"unknown field", hello, websocket.MessageText, `{"type":"mute","mutted":true}`, "mutted"},
		{"more than time", hello, websocket.MessageBinary, "\x01" + strings.Repeat("\x00", 60<<10-1), "more sound than time"},
		{"sound of a watcher", `{"type":"start","watch":true}`, websocket.MessageBinary, "\x00\x00", "watches"},
		{"sound of a listener", `{"type":"start","watch":true,"listen":true,"rate":16000}`, websocket.MessageBinary, "\x00\x00", "watches"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := w.Voice(id, tt.start)
			times := 1
			if tt.name == "more than time" {
				times = 70 // of two seconds each
			}
			for range times {
				if tt.frame != "" {
					_ = c.Conn.Write(c.Ctx, tt.kind, []byte(tt.frame)) // the last ones may find it closed
				}
			}

			end := webtest.Last[voice.EndEvent](t, c.Until("end"))
			if end.Reason != "protocol" || !strings.Contains(end.Detail, tt.says) {
				t.Errorf("it is told %+v, want something about %q", end, tt.says)
			}
			if _, _, err := c.Conn.Read(c.Ctx); websocket.CloseStatus(err) != websocket.StatusPolicyViolation {
				t.Errorf("it is closed with %v", err)
			}
		})
	}
	if now := len(transcript(w, id)); now != before {
		t.Errorf("there were %d messages and are %d", before, now)
	}
}

func TestServerWithoutSpeechSaysSo(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Begin("business_profile")
	webtest.CheckRefusal(t, w, webtest.Refusal{Status: http.StatusServiceUnavailable, Code: "no_speech", Request: webtest.Request{Path: "/api/v1/sessions/" + id + "/voice",
		Header: map[string]string{"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}}})
}

func TestCallsOfOtherSitesNeedATicket(t *testing.T) {
	t.Parallel()

	w, id, _ := calling(t)
	webtest.CheckRefusal(t, w, webtest.Refusal{Status: http.StatusForbidden, Code: "cross_site", Request: webtest.Request{Path: "/api/v1/sessions/" + id + "/voice",
		Header: map[string]string{"Origin": "https://evil.example", "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}}})
}

// spokenBy returns a text as flite says it, at 16 kHz.
func spokenBy(t *testing.T, v *speech.Voice, text string) []int16 {
	t.Helper()
	wav, err := v.Speak(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	samples, rate, err := audio.ReadWAV(wav)
	if err != nil || rate != 16000 {
		t.Fatalf("flite speaks at %d Hz: %v", rate, err)
	}
	return samples
}

// The programs of this machine speak and hear, and nobody presses a button.
func TestHandsFreeWithTheProgramsOfTheMachine(t *testing.T) {
	t.Parallel()
	prerequisite.Need(t, prerequisite.Speech)

	v := speech.New(speech.Options{})
	if v.Speaks() == "" || v.Hears() == "" {
		t.Fatal(prerequisite.Missing(prerequisite.Speech, errors.New("flite or pocketsphinx is not installed")))
	}
	w := webtest.Open(t, webtest.Terms{Voice: v})
	id := w.Begin("business_profile")
	c := w.Voice(id, `{"type":"start","rate":16000,"call":"one-call"}`)
	c.Until("caption")
	voiced := spokenBy(t, v, "Wait a moment please.")

	c.Play(make([]int16, 16000/2))
	c.Play(voiced)
	c.Play(make([]int16, 2*16000))
	stop := webtest.Last[voice.StopEvent](t, c.Until("stop"))
	c.Send(fmt.Sprintf(`{"type":"played","turn":%d,"ms":300}`, stop.Turn))
	heard := webtest.Last[voice.HeardEvent](t, c.Until("heard"))
	if !heard.Answer || !strings.Contains(heard.Text, "moment") {
		t.Errorf("it heard %+v", heard)
	}
	if e := webtest.Last[sessions.InterruptionEvent](t, c.Until("interruption")); len(e.Content) > 40 {
		t.Errorf("after 300 ms it was interrupted at %q", e.Content)
	}
	c.Until("caption")
}

func TestSilenceIsSpokenInto(t *testing.T) {
	t.Parallel()

	w, id, _ := calling(t)
	c := w.Voice(id, `{"type":"start","rate":16000,"call":"one-call"}`)
	silenced(c)
	for n := 1; n <= 3; n++ {
		c.Play(make([]int16, 9*16000)) // nobody says anything for nine seconds
		if r := webtest.Last[voice.ReminderEvent](t, c.Until("reminder")); r.Count != n || r.Typing != (n == 3) {
			t.Errorf("reminder %d is %+v", n, r)
		}
		c.Send(`{"type":"interrupt"}`)
		listening(c)
	}
}

func TestTicketOpensOneCall(t *testing.T) {
	t.Parallel()

	w, id, _ := calling(t)
	made := webtest.Fetch[talk.CallTicketBody](w, http.StatusCreated, webtest.Request{Method: http.MethodPost, Path: "/api/v1/sessions/" + id + "/call-tickets"})
	w.As(w.Tenant, "developer", auth.Member) // who made it could come in with a token as well
	w.Server.Develop = nil                   // only the ticket tells who calls
	elsewhere := &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"https://elsewhere.example"}}}

	conn, _, err := websocket.Dial(t.Context(), w.VoiceURL(id)+"?ticket="+made.Ticket, elsewhere)
	if err != nil {
		t.Fatalf("a page with a ticket was refused: %v", err)
	}
	c := &webtest.Call{T: t, Ctx: t.Context(), Conn: conn, Rate: 16000}
	t.Cleanup(func() { _ = conn.CloseNow() })
	c.Send(hello)
	if ready := webtest.Last[voice.ReadyEvent](t, c.Until("ready")); !ready.Talks {
		t.Errorf("it may not talk: %+v", ready)
	}
	_, resp, err := websocket.Dial(t.Context(), w.VoiceURL(id)+"?ticket="+made.Ticket, elsewhere)
	if err == nil || resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("the second call with a ticket: %v, %+v", err, resp)
	}
}

// A ticket stands for who made it: it opens nothing, and what it opened ends, once they have no
// token left with which they may talk. Guests have none, and talk as long as they take part.
func TestTicketEndsWithWhoMadeIt(t *testing.T) {
	t.Parallel()

	api := speechtest.New(t)
	w := webtest.Open(t, webtest.Terms{Tokens: true, Voice: speech.New(speech.Options{URL: api.URL})}).Hasty()
	anna := w.As(w.Tenant, "anna", auth.Member)
	id := anna.Begin("business_profile")
	invited := anna.Invites(id, sessions.ContributorRole, "Ben")
	b := w.Browser()
	if status, _, _ := b.Open("/invite/"+invited.Token, url.Values{"name": {"Ben"}}); status != http.StatusOK {
		t.Fatalf("the guest is answered %d", status)
	}
	ticket := func(w *webtest.World, header map[string]string) string {
		return webtest.Fetch[talk.CallTicketBody](w, http.StatusCreated, webtest.Request{Method: http.MethodPost, Path: "/api/v1/sessions/" + id + "/call-tickets", Header: header}).Ticket
	}
	dial := func(ticket string) (*websocket.Conn, *http.Response, error) {
		ctx, cancel := context.WithTimeout(t.Context(), webtest.Patience)
		t.Cleanup(cancel)
		conn, resp, err := websocket.Dial(ctx, w.VoiceURL(id)+"?ticket="+ticket, nil)
		if conn != nil {
			t.Cleanup(func() { _ = conn.CloseNow() })
		}
		return conn, resp, err
	}
	held, late, guests := ticket(anna, nil), ticket(anna, nil), ticket(w, map[string]string{"Cookie": b.Cookie()})
	conn, _, err := dial(held)
	if err != nil {
		t.Fatal(err)
	}
	c := &webtest.Call{T: t, Ctx: t.Context(), Conn: conn, Rate: 16000}
	c.Send(hello)
	c.Until("ready")
	w.Revoke("anna")

	if end := webtest.Last[voice.EndEvent](t, c.Until("end")); end.Reason != "access" {
		t.Errorf("the call ended with %+v, want the reason access", end)
	}
	if _, resp, err := dial(late); err == nil || resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("a ticket of who has no token any more: %v, %+v", err, resp)
	}
	if _, _, err := dial(guests); err != nil {
		t.Errorf("a guest's ticket: %v", err)
	}
}

// A model still makes the reply when the person breaks in: it is stopped, and its question
// was never asked.
func TestReplyThatIsStillMadeIsStopped(t *testing.T) {
	t.Parallel()

	api := speechtest.New(t, "We bake bread", "No, wait, cakes it is")
	w := webtest.Open(t, webtest.Terms{Voice: speech.New(speech.Options{URL: api.URL}),
		Model: slow(t, "Bread it is then, and good bread too. One thing after the other, slowly, and then the rest of it.", 300*time.Millisecond)})
	made := webtest.Fetch[web.SessionBody](w, http.StatusCreated, webtest.Request{Path: "/api/v1/sessions", Body: map[string]string{"contextType": "business_profile"}})
	c := w.Voice(made.ID, hello)
	c.Until("ready")
	c.Press(said(1))
	c.Until("session message=We bake bread")
	c.Until("caption") // the rest of the reply is still to come
	c.Send(`{"type":"press"}`)
	stop := webtest.Last[voice.StopEvent](t, c.Until("stop"))
	c.Send(fmt.Sprintf(`{"type":"played","turn":%d,"ms":600}`, stop.Turn))
	c.Play(said(2))
	c.Send(`{"type":"release"}`)

	if done := webtest.Last[sessions.DoneEvent](t, c.Until("done")); done.Reason != "stopped" || done.Turn != stop.Turn {
		t.Errorf("the turn ended as %+v, want turn %d stopped", done, stop.Turn)
	}
	if told := webtest.Last[sessions.InterruptionEvent](t, c.Until("interruption")); told.Turn != stop.Turn || told.Unasked || len(told.Content) > len("Bread it is then,") {
		t.Errorf("what was heard is %+v", told)
	}
	if e := webtest.Last[sessions.SessionEvent](t, c.Until("session")); e.Message != "No, wait, cakes it is" {
		t.Errorf("the next turn is %+v", e)
	}
}

func TestCallInALanguageThatNothingSpeaksIsRefused(t *testing.T) {
	t.Parallel()
	prerequisite.Need(t, prerequisite.Speech)

	w := webtest.Open(t, webtest.Terms{Voice: speech.New(speech.Options{})}) // flite and pocketsphinx know English
	made := webtest.Fetch[web.SessionBody](w, http.StatusCreated, webtest.Request{Path: "/api/v1/sessions", Body: map[string]string{"contextType": "business_profile", "language": "de"}})
	webtest.CheckRefusal(t, w, webtest.Refusal{Status: http.StatusServiceUnavailable, Code: "no_speech", Request: webtest.Request{Path: "/api/v1/sessions/" + made.ID + "/voice",
		Header: map[string]string{"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}}})
	resp := w.Do(webtest.Request{Path: "/s/" + made.ID})
	if page, _ := io.ReadAll(resp.Body); !strings.Contains(string(page), "nur Englisch gesprochen") {
		t.Error("the page does not say which language is spoken")
	}
}

// Words are told while they are written down, and of what they may be that is taken which
// the question asks for.
func TestWordsAreToldOnTheWayAndChosenByTheQuestion(t *testing.T) {
	t.Parallel()

	w, id, _ := calling(t, "We bake bread for the cafés in our town")
	c := w.Voice(id, hello)
	silenced(c)
	c.Press(said(1))
	events := c.Until("heard")
	var partial []string
	for _, e := range webtest.Pick(events, "partial") {
		if n := e.Data["utterance"]; n != 1.0 {
			t.Errorf("words of utterance %v are told, want 1", n)
		}
		partial = append(partial, fmt.Sprint(e.Data["text"]))
	}
	if len(partial) == 0 || partial[0] != "We" || partial[len(partial)-1] != "We bake bread for the cafés in our town" {
		t.Errorf("on the way it tells %q", partial)
	}
}

// answers says text n once everything was sent that is said before, and has it heard.
func answers(c *webtest.Call, n int) {
	c.T.Helper()
	spoken := webtest.Last[voice.SpokenEvent](c.T, c.Until("spoken"))
	c.Send(`{"type":"press"}`)
	c.Until("stop")
	c.Send(fmt.Sprintf(`{"type":"played","turn":%d,"ms":%d}`, spoken.Turn, spoken.Duration))
	c.Play(said(n))
	c.Send(`{"type":"release"}`)
}

func TestWhatIsHeardFitsTheQuestionAndIsReadBack(t *testing.T) {
	t.Parallel()

	api := speechtest.New(t, "for tea|forty", "no fifteen not forty", "yes")
	w := webtest.Open(t, webtest.Terms{Voice: speech.New(speech.Options{URL: api.URL})})
	webtest.Fetch[web.ObjectiveBody](w, http.StatusCreated, webtest.Request{Path: "/api/v1/objectives", Body: `{"contextType": "tiny", "version": "1.0.0", "displayName": "People", "obligations": [
		{"key": "people", "fieldPath": "people", "label": "People", "prompt": "How many people work there?", "widgetType": "number", "integer": true, "min": 1, "max": 500, "priority": 8}]}`})
	id := w.Begin("tiny")
	c := w.Voice(id, hello)
	answers(c, 1)
	if heard := webtest.Last[voice.HeardEvent](t, c.Until("heard")); heard.Text != "forty" {
		t.Errorf("it heard %q, want forty", heard.Text)
	}
	q := webtest.Last[sessions.QuestionEvent](t, c.Until("question"))
	if !q.ReadBack || !strings.Contains(q.Prompt, "4 0") {
		t.Errorf("it reads back %+v", q.Question)
	}
	answers(c, 2)
	if q = webtest.Last[sessions.QuestionEvent](t, c.Until("question")); !q.ReadBack || !strings.Contains(q.Prompt, "1 5") {
		t.Errorf("the correction is read back as %+v", q.Question)
	}
	answers(c, 3)
	if heard := webtest.Last[voice.HeardEvent](t, c.Until("heard")); !heard.Answer {
		t.Errorf("the yes is %+v", heard)
	}
	if q = webtest.Last[sessions.QuestionEvent](t, c.Until("question")); q.ReadBack {
		t.Errorf("after a yes it asks %+v", q.Question)
	}
}

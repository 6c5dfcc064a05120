package talk

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/internal/audio"
	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/sessions"
	"quaestor/web"
)

// recordingBody is what is kept of what somebody said, on the wire; the sound is at its own
// address.
type recordingBody struct {
	Turn         int       `json:"turn"`
	UserID       string    `json:"userId" doc:"who speaks"`
	Milliseconds int64     `json:"milliseconds" doc:"how long they speak; of more than about two minutes only the beginning is kept"`
	Address      string    `json:"address" doc:"of the sound, a WAV file"`
	CreatedAt    time.Time `json:"createdAt"`
}

// listRecordings lists what of a session can be heard by whoever asks, in order.
func (s *Handlers) listRecordings(ctx context.Context, found sessions.Session, _ *web.SessionPath) (web.Page[recordingBody], error) {
	list, err := sessions.Recordings(ctx, s.Pool, found.Scope())
	list = web.Where(list, func(r sessions.Recording) bool { return mayHearOf(web.ActorFrom(ctx), r) })
	return web.Page[recordingBody]{Items: web.Map(list, func(r sessions.Recording) recordingBody {
		return recordingBody{r.Turn, r.User, r.Length.Milliseconds(), recordingPath(found.ID, r.Turn), r.At.UTC()}
	})}, err
}

func recordingPath(session string, turn int) string {
	return "/api/v1/sessions/" + session + "/recordings/" + strconv.Itoa(turn)
}

// mayHearOf reports whether somebody who may read a session may hear a recording in it: reviewers
// do, and whoever speaks there.
func mayHearOf(a auth.Actor, r sessions.Recording) bool {
	return a.May(auth.Review) || a.User == r.User
}

// getRecording answers with the sound of a message. What somebody else may not hear is not there
// for them.
func (s *Handlers) getRecording(w http.ResponseWriter, r *http.Request) error {
	session, err := s.Session(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	turn, err := strconv.Atoi(r.PathValue("turn"))
	if err != nil || turn < 1 {
		return fault.New(fault.NotFound, "a turn is a number from 1 on").At("turn")
	}
	found, err := sessions.FindRecording(r.Context(), s.Pool, session.Scope(), turn)
	if err == nil && !mayHearOf(web.ActorFrom(r.Context()), found) {
		err = fault.New(fault.NotFound, "no sound is kept of turn %d", turn).Coded("recording_not_found")
	}
	if err != nil {
		return err
	}
	samples, err := audio.Decode(nil, found.Sound)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "audio/wav")
	w.Header().Set("Cache-Control", "private, no-store") // it may be deleted, and is somebody's voice
	http.ServeContent(w, r, "", found.At, bytes.NewReader(audio.WAV(samples, sessions.RecordingRate)))
	return nil
}

// speechBody is how a session sounds.
type speechBody struct {
	Voice    string  `json:"voice,omitempty" maxLength:"60" doc:"name of a voice of whatever speaks; absent leaves it to the organisation"`
	Speed    float64 `json:"speed,omitempty" maximum:"2" doc:"0.5 to 2, where 1 is the voice's own; 0 or absent leaves it to the organisation"`
	Language string  `json:"language,omitempty" maxLength:"35" doc:"that is heard and spoken, such as en-GB; absent for that of the interview"`
}

// speechReport is how a session sounds, with what the organisation has set.
type speechReport struct {
	Set     speechBody `json:"set" doc:"what the session has of its own"`
	InForce speechBody `json:"inForce"`
}

type speechChange struct {
	web.SessionPath
	Body speechBody
}

func (s *Handlers) getSpeech(ctx context.Context, found sessions.Session, _ *web.SessionPath) (speechReport, error) {
	aloud, err := s.Engine.Aloud(ctx, found.Scope())
	return speechReport{speechBody(aloud.Session), speechBody(aloud.In(found.Language))}, err
}

// putSpeech changes how a session sounds; a call that is held follows with the next sentence.
func (s *Handlers) putSpeech(ctx context.Context, found sessions.Session, in *speechChange) (speechReport, error) {
	events, err := sessions.SetSpeech(ctx, s.Pool, found.Scope(), web.ActorFrom(ctx).User, sessions.Speech(in.Body))
	if err != nil {
		return speechReport{}, err
	}
	s.Hub.Publish(found.Scope(), events)
	return s.getSpeech(ctx, found, &in.SessionPath)
}

// describeRecordings adds the sound of a message to the description of the API.
func describeRecordings(doc *huma.OpenAPI) {
	sound := &huma.Schema{Type: "string", Format: "binary"}
	doc.AddOperation(&huma.Operation{OperationID: "recording-get", Method: http.MethodGet, Path: "/api/v1/sessions/{id}/recordings/{turn}",
		Summary: "The sound of a spoken message, for reviewers and for whoever speaks", Tags: []string{"sessions"},
		Parameters: []*huma.Param{{Name: "id", In: "path", Required: true, Description: "id of the session", Schema: &huma.Schema{Type: "string", Format: "uuid"}},
			{Name: "turn", In: "path", Required: true, Description: "number of the turn", Schema: &huma.Schema{Type: "integer"}}},
		Responses: map[string]*huma.Response{"200": {Description: "A WAV file of 16,000 samples a second", Content: map[string]*huma.MediaType{"audio/wav": {Schema: sound}}},
			"default": web.DescribeRefusal(doc, "Refused, or there is no sound")}})
}

// Package talk is the interview as people meet it. It owns the pages that lead to one
// (first page, lists of interviews, search), the page of an interview, what its forms are
// sent to, and the parts of the API for sessions, turns, files, memory and search. It
// decides nothing: turns are worked by [chat.Engine], and what is known is read from
// sessions and obligations. Reviewing, objectives, reports of research, invitations and
// briefs are features of their own.
//
// The page of an interview is drawn from one value, [ChatView], which chat.go reads and
// view.go, panel_view.go, matters.go and research_view.go put into words. Its parts:
//
//	chat.templ        the frame: head, thread, cards at its beginning and end
//	earlier.templ     messages, and pages of older ones
//	question.templ    the question that is asked
//	matters.templ     values and conflicts that wait for a decision
//	panel.templ       what is known, what is looked up, who takes part
//	composer.templ    the box, with files (files.templ) and quick answers
//	answer.templ      the form that changes an earlier answer
//
// A message arrives as JSON (turns.go), over the websocket (socket.go), or as a form of a
// page without JavaScript (chat.go, answer.go); posted.go reads what a form answers. Its
// events leave through stream.go and socket.go. A page with JavaScript follows the events
// and fetches the parts that changed, so there is one source of markup.
package talk

import (
	"context"
	"net/http"
	"time"

	"github.com/a-h/templ"
	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"

	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/internal/speech"
	"quaestor/sessions"
	"quaestor/web"
)

// Options are what the feature needs beside the server.
type Options struct {
	// Engine works the turns. It is required.
	Engine *chat.Engine
	// Index is searched. Nil means an index without vectors, which finds words only.
	Index *chat.Index
	// Voice speaks and hears. Nil, or one that can do neither, means that interviews are
	// typed.
	Voice *speech.Voice
	// Read reads the files that people give to interviews. Nil refuses all files.
	Read ReadFile
}

// Handlers answers the requests of this feature. It is safe for concurrent use.
type Handlers struct {
	*web.Server
	Options

	reading  *places // of files that are being read
	talkers  talkers
	fileWait time.Duration // how long a file waits for its place
}

// New returns the feature as part of the server s.
func New(s *web.Server, o Options) *Handlers {
	if o.Index == nil {
		o.Index = chat.NewIndex(chat.IndexOptions{Pool: s.Pool, Hub: s.Hub, Library: s.Library, Log: s.Log})
	}
	return &Handlers{Server: s, Options: o, reading: newPlaces(maxReadings, maxReadings-1, 1), fileWait: fileWait}
}

// Routes registers what is not described by huma: the pages, the forms they send, and the
// operations of the API that stream or take files; [Handlers.Operations] describes those.
func (s *Handlers) Routes(r chi.Router) {
	r.Post("/api/discovery-chat", s.Handle(s.postTurn))
	r.Get("/api/v1/sessions/{id}/events", s.Handle(s.events))
	r.Get("/api/v1/sessions/{id}/socket", s.Handle(s.socket))
	r.Post("/api/v1/sessions/{id}/files", s.Handle(s.postFiles))
	r.Get("/api/v1/sessions/{id}/recordings/{turn}", s.Handle(s.getRecording))

	r.Get("/", s.Handle(s.home))
	r.With(s.Needing(auth.Talk)).Post("/start", s.Handle(s.start))
	r.With(s.Needing(auth.Read)).Get("/interviews", s.Handle(s.interviews))
	r.With(s.Needing(auth.Read)).Get("/search", s.Handle(s.searchPage))
	if s.Develop != nil {
		r.Get("/styleguide", s.Handle(s.styleguide))
	}
	r.Get("/s/{id}", s.chatPart(Chat))
	r.Get("/s/{id}/matters", s.chatPart(Matters))
	r.Get("/s/{id}/messages", s.SessionPage(s.Session, s.earlier))
	r.Post("/s/{id}/reopen", s.Handle(s.postReopen))
	r.Post("/s/{id}/say", s.SessionPage(s.talkable, s.say))
	r.Get("/s/{id}/answers/{key}", s.Handle(web.Show(s.routedAnswer, Answer)))
	r.Post("/s/{id}/answers/{key}", s.Handle(s.answer))
	r.Post("/s/{id}/obligations/{key}/accept", s.Handle(s.accept))
	r.Post("/s/{id}/obligations/{key}/reject", s.Handle(s.reject))
	r.Post("/s/{id}/conflicts/{conflict}/settle", s.Handle(s.resolve))
	r.Get("/s/{id}/research/{task}/card", s.SessionPage(s.Session, s.taskCard))
	r.Get("/s/{id}/files/{file}", s.SessionPage(s.Session, s.filePage))
	r.Post("/s/{id}/files/{file}/remove", s.SessionPage(s.Session, s.removeFile))
}

// Public registers what proves by itself who calls: clients of other protocols send what they
// have elsewhere than a page does.
func (s *Handlers) Public(r chi.Router) {
	r.Get("/api/v1/sessions/{id}/voice", s.Handle(s.voiceSocket))
	r.Get("/api/v1/media-stream", s.Handle(s.mediaStream))
	r.Get("/v1/realtime", s.Handle(s.realtime))
}

// Operations registers this feature's part of the API.
func (s *Handlers) Operations(a huma.API) {
	web.Add(a, web.Get("/api/v1/sessions", "session-list", "Sessions, newest first").Needing(auth.Read), s.listSessions)
	web.Add(a, web.Post("/api/v1/sessions", "session-create", "Create a session").Answering(http.StatusCreated).Needing(auth.Talk), s.createSession)
	web.Add(a, web.Get("/api/v1/sessions/{id}", "session-get", "A session with its progress"), web.InSession(s.Session, s.getSession))
	web.Add(a, web.Post("/api/v1/sessions/{id}/complete", "session-complete", "Complete a session whose criteria hold"), web.InSession(s.talkable, s.completeSession))
	web.Add(a, web.Post("/api/v1/sessions/{id}/reopen", "session-reopen", "Reopen a completed session as its next revision; the one before stays readable"), s.reopenSession)
	web.Add(a, web.Get("/api/v1/sessions/{id}/revisions", "revision-list", "The revisions of a session and what each changed, oldest first"), web.InSession(s.Session, s.listRevisions))
	web.Add(a, web.Get("/api/v1/sessions/{id}/messages", "message-list", "The transcript, oldest first"), web.InSession(s.Session, s.listMessages))
	web.Add(a, web.Get("/api/v1/sessions/{id}/turns/{turn}", "turn-get", "A turn: who answered, how it ended, what it used"), web.InSession(s.Session, s.getTurn))
	web.Add(a, web.Post("/api/v1/sessions/{id}/call-tickets", "call-ticket-create", "Make a ticket that opens one call of the session, once, within two minutes").Answering(http.StatusCreated).Needing(auth.Talk), web.InSession(s.talkable, s.createCallTicket))
	web.Add(a, web.Post("/v1/realtime/client_secrets", "realtime-secret-create", "Make a key for one call of a client of OpenAI Realtime, as OpenAI does; the model of its session is a session's id or an objective's key").Needing(auth.Talk).Unchecked(), s.createRealtimeSecret)
	web.Add(a, web.Get("/api/v1/sessions/{id}/speech", "speech-get", "How the session sounds: voice, speed and language of what is said"), web.InSession(s.Session, s.getSpeech))
	web.Add(a, web.Put("/api/v1/sessions/{id}/speech", "speech-put", "Change how the session sounds; what is absent is left to the organisation").Needing(auth.Talk), web.InSession(s.talkable, s.putSpeech))
	web.Add(a, web.Get("/api/v1/sessions/{id}/recordings", "recording-list", "What of the session can be heard: the spoken messages of people who agreed to be recorded"), web.InSession(s.Session, s.listRecordings))
	web.AddEmpty(a, web.Post("/api/v1/sessions/{id}/turns/{turn}/stop", "turn-stop", "Stop a running turn").Answering(http.StatusAccepted), s.stopTurn)

	web.Add(a, web.Get("/api/v1/sessions/{id}/files", "file-list", "Files of the session, in the order they were given"), web.InSession(s.Session, s.listFiles))
	web.Add(a, web.Get("/api/v1/sessions/{id}/files/{file}", "file-get", "A file with the text that was read in it"), web.InSession(s.Session, s.getFile))
	web.AddEmpty(a, web.Delete("/api/v1/sessions/{id}/files/{file}", "file-delete", "Remove a file that has not been sent with a turn yet"), s.deleteFile)

	web.Add(a, web.Get("/api/v1/sessions/{id}/agenda", "agenda-get", "The course of the interview: its parts, where each stands, and how long the rest will take"), web.InSession(s.Session, s.getAgenda))
	web.Add(a, web.Get("/api/v1/sessions/{id}/memory", "memory-get", "What the interviewer keeps in mind"), web.InSession(s.Session, s.getMemory))
	web.AddEdit(a, web.Patch("/api/v1/sessions/{id}/memory", "memory-patch", "Change what the interviewer keeps in mind, by JSON merge patch").Unchecked(), s.patchMemory)
	web.AddEdit(a, web.Delete("/api/v1/sessions/{id}/memory/{part}/{note}", "memory-forget", "Forget one note"), s.forgetNote)
	web.Add(a, web.Get("/api/v1/sessions/{id}/summaries", "summary-list", "Summaries of what came before the latest turns, oldest first"), web.InSession(s.Session, s.listSummaries))

	web.Add(a, web.Get("/api/v1/search", "search", "Find obligations, messages and sessions by words and by meaning").Needing(auth.Read), s.search)

	describeFiles(a.OpenAPI())
	describeRecordings(a.OpenAPI())
	describeMemory(a.OpenAPI())
	describeTalk(a.OpenAPI())
}

// chatPart returns the handler that draws an interview's page, or a part of it that
// scripts put into the page.
func (s *Handlers) chatPart(component func(ChatView) templ.Component) http.HandlerFunc {
	return s.SessionPage(s.Session, func(w http.ResponseWriter, r *http.Request, session sessions.Session) error {
		v, err := s.chatView(r.Context(), session)
		if err != nil {
			return err
		}
		return web.Render(w, r, component(v))
	})
}

// talkable returns the session with an id that the actor may see, and refuses an actor
// whose role only reads.
func (s *Handlers) talkable(ctx context.Context, id string) (sessions.Session, error) {
	session, err := s.Session(ctx, id)
	if err != nil {
		return session, err
	}
	return session, web.Need(web.ActorFrom(ctx), auth.Talk)
}

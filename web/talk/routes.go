// Package talk is the interview itself: the first page and the lists of interviews, the
// page of an interview with its question, panel and files, what is sent to it, and its
// events as a stream and over a websocket; memory and search too.
package talk

import (
	"net/http"
	"quaestor/chat"
	"quaestor/web"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"
)

// Options say what the feature works with beside the server; all are needed but those
// with a default.
type Options struct {
	Engine *chat.Engine
	// Index is what is searched. Nil means full text of what others index.
	Index *chat.Index
	// Read reads the files that people give to interviews; nil takes none.
	Read ReadFile
}

// Handlers answers the requests of this feature.
type Handlers struct {
	*web.Server
	Options

	// reading lets as many files be read at a time as it holds.
	reading  chan struct{}
	fileWait time.Duration // for a file's turn to be read
}

// New returns the feature as part of a server.
func New(s *web.Server, o Options) *Handlers {
	if o.Index == nil {
		o.Index = chat.NewIndex(chat.IndexOptions{Pool: s.Pool, Hub: s.Hub, Library: s.Library, Log: s.Log})
	}
	return &Handlers{Server: s, Options: o, reading: make(chan struct{}, maxReadings), fileWait: fileWait}
}

// Routes registers the pages of interviews, what their forms are sent to, and the streams.
func (s *Handlers) Routes(r chi.Router) {
	r.Post("/api/discovery-chat", s.Handle(s.postTurn))
	r.Get("/api/v1/sessions/{id}/events", s.Handle(s.events))
	r.Get("/api/v1/sessions/{id}/socket", s.Handle(s.socket))
	r.Post("/api/v1/sessions/{id}/files", s.Handle(s.postFiles))

	r.Get("/", s.Handle(s.home))
	r.Post("/start", s.Handle(s.start))
	r.Get("/interviews", s.Handle(s.interviews))
	r.Get("/search", s.Handle(s.searchPage))
	if s.Develop != nil {
		r.Get("/styleguide", s.Handle(s.styleguide))
	}
	r.Get("/s/{id}", s.Handle(s.chat))
	r.Get("/s/{id}/messages", s.Handle(s.earlier))
	r.Get("/s/{id}/matters", s.Handle(s.matters))
	r.Post("/s/{id}/say", s.Handle(s.say))
	r.Get("/s/{id}/answers/{key}", s.Handle(s.answerPage))
	r.Post("/s/{id}/answers/{key}", s.Handle(s.answer))
	r.Post("/s/{id}/obligations/{key}/accept", s.Handle(s.acceptHere))
	r.Post("/s/{id}/obligations/{key}/reject", s.Handle(s.rejectHere))
	r.Post("/s/{id}/conflicts/{conflict}/settle", s.Handle(s.settleHere))
	r.Get("/s/{id}/research/{task}/card", s.Handle(s.taskCard))
	r.Get("/s/{id}/files/{file}", s.Handle(s.filePage))
	r.Post("/s/{id}/files/{file}/remove", s.Handle(s.removeFile))
}

// Operations registers the part of the API that is this feature's.
func (s *Handlers) Operations(a huma.API) {
	s.sessionRoutes(a)
	s.fileRoutes(a)
	s.memoryRoutes(a)
	s.searchRoutes(a)
	describeFiles(a.OpenAPI())
	describeMemory(a.OpenAPI())
	describeTalk(a.OpenAPI())
}

func (s *Handlers) sessionRoutes(a huma.API) {
	web.Add(a, web.Get("/api/v1/sessions", "session-list", "Sessions, newest first"), s.listSessions)
	web.Add(a, web.Post("/api/v1/sessions", "session-create", "Begin a session of its own").Answering(http.StatusCreated), s.createSession)
	web.Add(a, web.Get("/api/v1/sessions/{id}", "session-get", "A session and how far it is"), s.getSession)
	web.Add(a, web.Post("/api/v1/sessions/{id}/complete", "session-complete", "End a session whose criteria hold"), s.completeSession)
	web.Add(a, web.Get("/api/v1/sessions/{id}/messages", "message-list", "The transcript, oldest first"), s.listMessages)
	web.Add(a, web.Get("/api/v1/sessions/{id}/turns/{turn}", "turn-get", "A turn: who answered, how it ended, what it used"), s.getTurn)
	web.AddEmpty(a, web.Post("/api/v1/sessions/{id}/turns/{turn}/stop", "turn-stop", "Stop a turn that runs").Answering(http.StatusAccepted), s.stopTurn)
}

func (s *Handlers) fileRoutes(a huma.API) {
	web.Add(a, web.Get("/api/v1/sessions/{id}/files", "file-list", "Files given to the session, in the order they came"), s.listFiles)
	web.Add(a, web.Get("/api/v1/sessions/{id}/files/{file}", "file-get", "A file with the text that was read in it"), s.getFile)
	web.AddEmpty(a, web.Delete("/api/v1/sessions/{id}/files/{file}", "file-delete", "Take away a file that was given with no turn yet"), s.deleteFile)
}

func (s *Handlers) memoryRoutes(a huma.API) {
	web.Add(a, web.Get("/api/v1/sessions/{id}/memory", "memory-get", "What the interviewer keeps in mind"), s.getMemory)
	web.AddEdit(a, web.Patch("/api/v1/sessions/{id}/memory", "memory-patch", "Change what the interviewer keeps in mind, by JSON merge patch").Unchecked(), s.patchMemory)
	web.AddEdit(a, web.Delete("/api/v1/sessions/{id}/memory/{part}/{note}", "memory-forget", "Forget one note"), s.forgetNote)
	web.Add(a, web.Get("/api/v1/sessions/{id}/summaries", "summary-list", "What came before the latest turns, in summaries, oldest first"), s.listSummaries)
}

func (s *Handlers) searchRoutes(a huma.API) {
	web.Add(a, web.Get("/api/v1/search", "search", "Find obligations, messages and sessions by words and by meaning"), s.search)
}

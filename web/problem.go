package web

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"reflect"
	"strings"

	"github.com/a-h/templ"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/internal/postgres"
	"quaestor/sessions/objectives"
	"quaestor/web/ui"
)

// statuses maps kinds of faults to HTTP; nothing else does.
var statuses = map[fault.Kind]int{
	fault.Invalid:         http.StatusBadRequest,
	fault.Unauthenticated: http.StatusUnauthorized,
	fault.Forbidden:       http.StatusForbidden,
	fault.NotFound:        http.StatusNotFound,
	fault.Conflict:        http.StatusConflict,
	fault.TooLarge:        http.StatusRequestEntityTooLarge,
	fault.Unsupported:     http.StatusUnsupportedMediaType,
	fault.Unprocessable:   http.StatusUnprocessableEntity,
	fault.Limited:         http.StatusTooManyRequests,
	fault.Unavailable:     http.StatusServiceUnavailable,
	fault.Internal:        http.StatusInternalServerError,
}

// Problem is an RFC 9457 answer.
type Problem struct {
	Type     string         `json:"type"`
	Title    string         `json:"title"`
	Status   int            `json:"status"`
	Detail   string         `json:"detail"`
	Instance string         `json:"instance,omitempty"` // the request's id
	Code     string         `json:"code"`               // stable name for programs
	Errors   []problemField `json:"errors,omitempty"`   // every input at fault
}

var problemType = reflect.TypeFor[Problem]()

// problemField is one input at fault.
type problemField struct {
	Location string `json:"location"`
	Message  string `json:"message"`
}

// Error and GetStatus make a problem an error that huma writes as it is.
func (p *Problem) Error() string { return p.Detail }

func (p *Problem) GetStatus() int { return p.Status }

func (p *Problem) ContentType(string) string { return "application/problem+json" }

// ComeBack is how many seconds later to try again what is not available just now.
const ComeBack = "2"

// GetHeaders says, as RFC 9110 has it, when to come back.
func (p *Problem) GetHeaders() http.Header {
	if p.Status != http.StatusServiceUnavailable {
		return nil
	}
	return http.Header{"Retry-After": {ComeBack}}
}

// MaxFields bounds the faults a problem lists.
const MaxFields = 100

// ProblemOf words err. What is not a fault is internal: its text is not shown.
func ProblemOf(err error, instance string) *Problem {
	if p := (*Problem)(nil); errors.As(err, &p) {
		p.Instance = instance
		return p
	}
	f := faultOf(err)
	code := cmp.Or(f.Code, string(f.Kind))
	status := statuses[f.Kind]
	if code == "method_not_allowed" {
		status = http.StatusMethodNotAllowed
	}
	p := &Problem{Type: "/problems/" + strings.ReplaceAll(code, "_", "-"), Title: http.StatusText(status), Status: status, Detail: f.Message, Instance: instance, Code: code}
	if f.Field != "" {
		p.Errors = []problemField{{f.Field, f.Message}}
	}
	var all objectives.Faults
	if errors.As(err, &all) {
		p.list(all)
	}
	return p
}

// faultOf returns the fault in err. What is none is our mistake, unless a text cannot be
// stored, the database is away or something took too long.
func faultOf(err error) *fault.Error {
	var f *fault.Error
	switch {
	case errors.As(err, &f):
		return f
	case postgres.Unstorable(err):
		return fault.New(fault.Invalid, "a text holds a NUL character, or bytes that are no UTF-8; leave them out").Coded("nul_character")
	case postgres.Away(err):
		return fault.New(fault.Unavailable, "the database does not answer just now; try again in a moment").Coded("database_away")
	case errors.Is(err, context.DeadlineExceeded):
		return fault.New(fault.Unavailable, "this took too long just now; try again in a moment").Coded("timed_out")
	}
	return fault.New(fault.Internal, "something went wrong on our side; the request id helps to find out what")
}

func (p *Problem) list(all objectives.Faults) {
	p.Errors = nil
	for _, f := range all[:min(len(all), MaxFields)] {
		p.Errors = append(p.Errors, problemField{f.Field, f.Message})
	}
	if len(all) > 1 {
		p.Detail = "the objective has several faults; see errors"
	}
}

// logProblem logs a problem with its instance, by which it is found: what went wrong on
// our side with its cause, a refusal for who looks at the details.
func (s *Server) logProblem(ctx context.Context, path string, p *Problem, err error) {
	if p.Status >= http.StatusInternalServerError {
		s.Log.ErrorContext(ctx, "request failed", "request", p.Instance, "path", path, "err", err)
		return
	}
	s.Log.DebugContext(ctx, "request refused", "request", p.Instance, "path", path, "status", p.Status, "code", p.Code)
}

// NoteProblem logs a problem as its request has it logged.
func NoteProblem(ctx context.Context, p *Problem, err error) {
	if log, ok := ctx.Value(failureKey).(func(*Problem, error)); ok {
		log(p, err)
	}
}

// problem writes err to a client: JSON, or a page when a browser asks for one.
func (s *Server) problem(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, context.Canceled) && r.Context().Err() != nil { // the client is gone, or the server ends and a client hears of it
		err = fault.New(fault.Unavailable, "the server is shutting down; try again in a moment").Coded("draining")
		r = r.WithContext(context.WithoutCancel(r.Context()))
		s.write(w, r, ProblemOf(err, RequestID(r.Context())))
		return
	}
	p := ProblemOf(err, RequestID(r.Context()))
	s.logProblem(r.Context(), r.URL.Path, p, err)
	s.write(w, r, p)
}

func (s *Server) write(w http.ResponseWriter, r *http.Request, p *Problem) {
	maps.Copy(w.Header(), p.GetHeaders())
	if p.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="quaestor"`)
	}
	if WantsPage(r) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(p.Status)
		_ = s.pageFor(r, p).Render(r.Context(), w)
		return
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p)
}

// pageFor is the page of a problem: for who has to sign in, how that is done.
func (s *Server) pageFor(r *http.Request, p *Problem) templ.Component {
	if p.Code == string(fault.Unauthenticated) || p.Code == "token_unknown" {
		return SignIn(s.signInFor(r, p))
	}
	if strings.HasPrefix(r.URL.Path, SharedPath) {
		return ui.ShareGone(pageOf(p)) // who follows a link is no user of ours
	}
	return ui.ErrorPage(pageOf(p))
}

// titles say what happened to people who look at a page.
var titles = map[int]string{
	http.StatusBadRequest:            "This could not be read",
	http.StatusUnauthorized:          "You are not signed in",
	http.StatusForbidden:             "This is not yours to do",
	http.StatusNotFound:              "There is nothing here",
	http.StatusConflict:              "Not just now",
	http.StatusRequestEntityTooLarge: "This is too long",
	http.StatusUnprocessableEntity:   "Something is not right yet",
	http.StatusTooManyRequests:       "Too much at once",
	http.StatusInternalServerError:   "Something went wrong",
	http.StatusServiceUnavailable:    "Not available just now",
}

// pageOf words a problem for people: its detail may speak of the API.
func pageOf(p *Problem) ui.ErrorView {
	v := ui.ErrorView{Status: p.Status, Title: cmp.Or(titles[p.Status], p.Title), Detail: Sentence(p.Detail), RequestID: p.Instance}
	switch p.Code {
	case "session_not_found":
		v.Title, v.Detail = "This interview is not here", "The address may be mistyped, or the interview is somebody else's."
	case "share_gone":
		v.Title, v.Detail = "This link shows nothing", "It may be cut short or mistyped, it may have expired, or whoever made it took it back. Ask them for another."
	case string(fault.NotFound):
		v.Detail = "The address may be mistyped, or what was here has moved."
	}
	return v
}

// Sentence makes the words of a fault a sentence.
func Sentence(s string) string {
	if s == "" || strings.HasSuffix(s, ".") {
		return s
	}
	return language.UpperFirst(s) + "."
}

func WantsPage(r *http.Request) bool {
	return !strings.HasPrefix(r.URL.Path, "/api/") && strings.Contains(r.Header.Get("Accept"), "text/html")
}

func WriteJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// Clip shortens what somebody sent to what an error repeats of it.
func Clip(s string) string { return ui.Clip(s, 60) }

// ErrorWords says why something failed: a fault's own words, else that it is not
// known. Nothing of what others sent is shown.
func ErrorWords(err error) string {
	var f *fault.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "No answer in time."
	case errors.As(err, &f) && f.Kind != fault.Internal:
		return Sentence(f.Error())
	}
	return "It could not be done; the log of the server says why."
}

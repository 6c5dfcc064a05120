package talk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/web"
)

// ReadFile reads a file that somebody gives to an interview, or refuses it; see
// [research.ReadAttachment].
type ReadFile func(ctx context.Context, name, mediaType string, body []byte) (sessions.File, error)

// Bounds of a request with files.
const (
	uploadLimit  = 2 * time.Minute  // from its first byte to its last
	readingLimit = 60 * time.Second // of all its files
	fileWait     = 30 * time.Second // for its turn to be read
	maxReadings  = 2                // at a time: reading takes processors that turns want
	maxFiled     = sessions.MaxGiven*research.MaxAttachment + web.MaxBody
	maxParts     = 50 // fields of a form, files among them
)

// fileBody is a file of a session on the wire.
type fileBody struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	MediaType string    `json:"mediaType"`
	Size      int64     `json:"size" doc:"bytes of the file as it was sent"`
	SHA256    string    `json:"sha256" doc:"of the file as it was sent"`
	Parts     int       `json:"parts,omitempty" doc:"pages of a PDF, rows of a table"`
	Truncated bool      `json:"truncated,omitempty" doc:"only its beginning was read"`
	UserID    string    `json:"userId" doc:"who gave it"`
	CreatedAt time.Time `json:"createdAt"`
	Turns     []int     `json:"turns" nullable:"false" doc:"turns it was given with; none yet for one that waits to be sent"`
	New       bool      `json:"new,omitempty" doc:"after sending it: the session did not have this content before"`
	Text      string    `json:"text,omitempty" doc:"what could be read in it, of one file only; untrusted text"`
}

func toFileBody(f sessions.File) fileBody {
	return fileBody{ID: f.ID, Name: f.Name, MediaType: f.Type, Size: f.Size, SHA256: f.SHA256, Parts: f.Parts, Truncated: f.Truncated, UserID: f.User, CreatedAt: f.At,
		Turns: append([]int{}, f.Turns...), Text: f.Text}
}

type filePath struct {
	ID   string `path:"id" doc:"id of the session"`
	File string `path:"file" doc:"id of the file"`
}

func (s *Handlers) listFiles(ctx context.Context, in *web.SessionPath) (web.Page[fileBody], error) {
	found, err := s.Session(ctx, in.ID)
	if err != nil {
		return web.Page[fileBody]{}, err
	}
	list, err := sessions.Files(ctx, s.Pool, found.Scope())
	return web.Page[fileBody]{Items: web.Map(list, toFileBody)}, err
}

func (s *Handlers) getFile(ctx context.Context, in *filePath) (fileBody, error) {
	found, err := s.Session(ctx, in.ID)
	if err != nil {
		return fileBody{}, err
	}
	f, err := sessions.FindFile(ctx, s.Pool, found.Scope(), in.File)
	return toFileBody(f), err
}

func (s *Handlers) deleteFile(ctx context.Context, in *filePath) error {
	found, err := s.Session(ctx, in.ID)
	if err != nil {
		return err
	}
	if err := web.Need(web.ActorFrom(ctx), auth.Talk); err != nil {
		return err
	}
	return sessions.RemoveFile(ctx, s.Pool, found.Scope(), in.File)
}

// postFiles reads the files of a form and keeps them, all or none.
func (s *Handlers) postFiles(w http.ResponseWriter, r *http.Request) error {
	session, err := s.attachable(r)
	if err != nil {
		return err
	}
	f, err := s.readForm(w, r)
	if err != nil {
		return err
	}
	if len(f.files) == 0 {
		return fault.New(fault.Unprocessable, "no file came; send one as the field file of a multipart form").At("file").Coded("file_missing")
	}
	kept, made, err := sessions.AddFiles(r.Context(), s.Pool, session.Scope(), web.ActorFrom(r.Context()).User, f.files)
	if err != nil {
		return err
	}
	out, status := web.Page[fileBody]{Items: web.Map(kept, toFileBody)}, http.StatusOK
	for i := range made {
		if out.Items[i].New = made[i]; made[i] {
			status = http.StatusCreated
		}
	}
	web.WriteJSON(w, status, out)
	return nil
}

// attachable returns the session of a request, if the actor may give it files.
func (s *Handlers) attachable(r *http.Request) (sessions.Session, error) {
	session, err := s.Session(r.Context(), r.PathValue("id"))
	if err != nil {
		return session, err
	}
	switch {
	case !web.ActorFrom(r.Context()).May(auth.Talk):
		return session, web.Need(web.ActorFrom(r.Context()), auth.Talk)
	case session.Status == sessions.Completed:
		return session, fault.New(fault.Conflict, "this session is completed and takes no more files; start a new one").Coded("session_completed")
	case s.Read == nil:
		return session, fault.New(fault.Unavailable, "this server reads no files")
	}
	return session, nil
}

// filledForm is a form with files: its fields, and the files of the field file as they
// were read.
type filledForm struct {
	values map[string][]string
	fields int // bytes of the values
	files  []sessions.File
}

// readForm reads a multipart form. Each file is read and let go before the next one
// comes; one that cannot be read refuses the whole form, whose other fields are
// returned all the same.
func (s *Handlers) readForm(w http.ResponseWriter, r *http.Request) (filledForm, error) {
	form := filledForm{values: map[string][]string{}}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(uploadLimit)) // where it cannot be set, the server's own holds
	r.Body = http.MaxBytesReader(w, r.Body, maxFiled)
	parts, err := r.MultipartReader()
	if err != nil {
		return form, fault.New(fault.Unsupported, "send files as a form: Content-Type: multipart/form-data, in the field file").Coded("not_a_form")
	}
	ctx, cancel := context.WithTimeout(r.Context(), uploadLimit+readingLimit)
	defer cancel()
	var refused error
	for n := 1; ; n++ {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return form, refused
		}
		if n > maxParts && err == nil {
			return form, fault.New(fault.TooLarge, "a form has at most %d fields", maxParts).Coded("too_many_parts")
		}
		if err == nil {
			err = s.readPart(ctx, part, &form)
		}
		if refusable := fault.KindOf(err) != fault.Internal; err != nil && refusable {
			refused = errors.Join(refused, err)
		} else if err != nil {
			return form, broken(err)
		}
	}
}

// broken says why a form could not be read to its end.
func broken(err error) error {
	if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
		return fault.New(fault.TooLarge, "at most %d files of %d MB each are sent at once", sessions.MaxGiven, research.MaxAttachment>>20).At("file").Coded("body_too_large")
	}
	return fault.New(fault.Invalid, "the form ended early, or is none").Because(err)
}

// readPart reads one field of a form.
func (s *Handlers) readPart(ctx context.Context, part *multipart.Part, form *filledForm) error {
	if part.FormName() != "file" {
		text, err := io.ReadAll(io.LimitReader(part, int64(web.MaxBody-form.fields)))
		form.fields += len(text)
		form.values[part.FormName()] = append(form.values[part.FormName()], string(text))
		return err
	}
	came, size, err := setDown(part)
	if err != nil {
		return err
	}
	defer func() { _ = came.Close() }() // its name is gone already
	switch {
	case part.FileName() == "" && size == 0: // a form whose field for files was left empty
		return nil
	case len(form.files) == sessions.MaxGiven:
		return fault.New(fault.Unprocessable, "at most %d files are sent at once", sessions.MaxGiven).At("file").Coded("too_many_files")
	}
	f, err := s.readFile(ctx, part, came, size)
	if err != nil {
		return err
	}
	form.files = append(form.files, f)
	return nil
}

// setDown puts a file that comes in, however slowly, on disk: those that wait to be read
// take no memory. Of one that is too long the first byte too many comes along. The file
// is gone when it is closed.
func setDown(part io.Reader) (came *os.File, size int64, err error) {
	if came, err = os.CreateTemp("", "quaestor-upload-*"); err != nil {
		return nil, 0, fmt.Errorf("set a file down: %w", err)
	}
	_ = os.Remove(came.Name()) // it stays for who holds it
	if size, err = io.Copy(came, io.LimitReader(part, research.MaxAttachment+1)); err == nil {
		_, err = came.Seek(0, io.SeekStart)
	}
	if err != nil {
		_ = came.Close()
		return nil, 0, err
	}
	return came, size, nil
}

// readFile waits for its turn to read a file.
func (s *Handlers) readFile(ctx context.Context, part *multipart.Part, came io.Reader, size int64) (sessions.File, error) {
	if s.Read == nil {
		return sessions.File{}, fault.New(fault.Unavailable, "this server reads no files").At("file")
	}
	turn := time.NewTimer(s.fileWait)
	defer turn.Stop()
	select {
	case s.reading <- struct{}{}:
		defer func() { <-s.reading }()
	case <-turn.C:
		return sessions.File{}, fault.New(fault.Unavailable, "many files are being read just now; try again in a moment").At("file").Coded("files_busy")
	case <-ctx.Done():
		return sessions.File{}, ctx.Err()
	}
	ctx, cancel := context.WithTimeout(ctx, readingLimit)
	defer cancel()
	body := make([]byte, size)
	if _, err := io.ReadFull(came, body); err != nil {
		return sessions.File{}, fmt.Errorf("read a file that was set down: %w", err)
	}
	return s.Read(ctx, part.FileName(), part.Header.Get("Content-Type"), body)
}

// describeFiles adds the sending of files to the description.
func describeFiles(doc *huma.OpenAPI) {
	sent := &huma.Schema{Type: "object", Required: []string{"file"}, Properties: map[string]*huma.Schema{
		"file": {Type: "array", Description: research.Reads + "; at most 10 MB each, 5 at once", Items: &huma.Schema{Type: "string", Format: "binary"}}}}
	list := doc.Paths["/api/v1/sessions/{id}/files"].Get.Responses["200"]
	doc.AddOperation(&huma.Operation{OperationID: "file-create", Method: http.MethodPost, Path: "/api/v1/sessions/{id}/files",
		Summary: "Give the session files; the same content twice is one file", Tags: []string{"sessions"},
		Parameters:  []*huma.Param{{Name: "id", In: "path", Required: true, Description: "id of the session", Schema: &huma.Schema{Type: "string", Format: "uuid"}}},
		RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"multipart/form-data": {Schema: sent}}},
		Responses: map[string]*huma.Response{"201": {Description: "Created", Content: list.Content}, "200": {Description: "OK: the session had them already", Content: list.Content},
			"default": web.DescribeRefusal(doc, "Refused, and nothing is kept")}})
}

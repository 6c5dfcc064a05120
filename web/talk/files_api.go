package talk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/internal/fault"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/web"
)

// ReadFile reads the text of a file that a person gives to an interview, or refuses the
// file; see [research.ReadAttachment].
type ReadFile func(ctx context.Context, name, mediaType string, body []byte) (sessions.File, error)

// Bounds of a request with files.
const (
	uploadLimit  = 2 * time.Minute  // for the whole body: enough for 50 MB at 4 Mbit/s
	readingLimit = 60 * time.Second // for the reading of all its files
	fileWait     = 30 * time.Second // for a file's place among those that are read
	maxReadings  = 3                // files that are read at a time: one of a person, two of an organisation; the processors are for turns first
	maxFilesBody = sessions.MaxGiven*research.MaxAttachment + web.MaxBody
	maxParts     = 50 // fields of a form, files included: ten times what the pages send
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
	UserID    string    `json:"userId" doc:"the person who gave it"`
	CreatedAt time.Time `json:"createdAt"`
	Turns     []int     `json:"turns" nullable:"false" doc:"turns it was sent with; empty for a file that waits to be sent"`
	New       bool      `json:"new,omitempty" doc:"in the answer to sending it: the session did not have this content before"`
	Text      string    `json:"text,omitempty" doc:"the text that was read in it, only when one file is asked for; untrusted"`
}

func toFileBody(f sessions.File) fileBody {
	return fileBody{ID: f.ID, Name: f.Name, MediaType: f.Type, Size: f.Size, SHA256: f.SHA256, Parts: f.Parts, Truncated: f.Truncated, UserID: f.User, CreatedAt: f.At,
		Turns: append([]int{}, f.Turns...), Text: f.Text}
}

type filePath struct {
	web.SessionPath
	File string `path:"file" doc:"id of the file"`
}

// listFiles lists the files of a session without their texts, in the order in which they
// were given. It includes files that wait to be sent.
func (s *Handlers) listFiles(ctx context.Context, found sessions.Session, _ *web.SessionPath) (web.Page[fileBody], error) {
	list, err := sessions.Files(ctx, s.Pool, found.Scope())
	return web.Page[fileBody]{Items: web.Map(list, toFileBody)}, err
}

// getFile returns a file with its text, which is untrusted: it was written by strangers.
func (s *Handlers) getFile(ctx context.Context, found sessions.Session, in *filePath) (fileBody, error) {
	f, err := sessions.FindFile(ctx, s.Pool, found.Scope(), in.File)
	return toFileBody(f), err
}

// deleteFile removes a file that was not sent yet. One that was sent is evidence and stays.
func (s *Handlers) deleteFile(ctx context.Context, in *filePath) error {
	found, err := s.talkable(ctx, in.ID)
	if err != nil {
		return err
	}
	return sessions.RemoveFile(ctx, s.Pool, found.Scope(), in.File)
}

// postFiles reads the files of a form and stores them, all or none. The status is 201 when
// at least one of them is new.
func (s *Handlers) postFiles(w http.ResponseWriter, r *http.Request) error {
	session, err := s.talkable(r.Context(), r.PathValue("id"))
	switch {
	case err != nil:
		return err
	case session.Status == sessions.Completed:
		return fault.New(fault.Conflict, "this session is completed and takes no more files; reopen it, or start a new one").Coded("session_completed")
	case s.Read == nil:
		return errNoReader()
	}
	f, err := s.readForm(w, r)
	if err != nil {
		return err
	}
	if len(f.files) == 0 {
		return fault.New(fault.Unprocessable, "no file came; send one as the field file of a multipart form").At("file").Coded("file_missing")
	}
	stored, made, err := sessions.AddFiles(r.Context(), s.Pool, session.Scope(), web.ActorFrom(r.Context()).User, f.files)
	if err != nil {
		return err
	}
	out := web.Page[fileBody]{Items: web.Map(stored, toFileBody)}
	for i := range made {
		out.Items[i].New = made[i]
	}
	status := http.StatusOK
	if slices.Contains(made, true) {
		status = http.StatusCreated
	}
	web.WriteJSON(w, status, out)
	return nil
}

// errNoReader is the fault of a server that was set up without [Options.Read].
func errNoReader() error { return fault.New(fault.Unavailable, "this server reads no files") }

// filledForm is a multipart form as it was read.
type filledForm struct {
	values map[string][]string
	bytes  int             // of all values
	files  []sessions.File // of the field "file"
}

// readForm reads a multipart form. It holds one file at a time. A file that cannot be read
// refuses the form, but only after the other fields were read, which are returned with the
// error.
func (s *Handlers) readForm(w http.ResponseWriter, r *http.Request) (filledForm, error) {
	form := filledForm{values: map[string][]string{}}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(uploadLimit)) // a connection that takes no deadline keeps the server's own
	r.Body = http.MaxBytesReader(w, r.Body, maxFilesBody)
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
		switch {
		case err != nil && fault.KindOf(err) == fault.Internal:
			return form, brokenForm(err)
		case err != nil:
			refused = errors.Join(refused, err)
		}
	}
}

// brokenForm returns the fault for a form that could not be read to its end.
func brokenForm(err error) error {
	if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
		return fault.New(fault.TooLarge, "at most %d files of %d MB each are sent at once", sessions.MaxGiven, research.MaxAttachment>>20).At("file").Coded("body_too_large")
	}
	return fault.New(fault.Invalid, "the form ended early, or is not a form").Because(err)
}

// readPart reads one field into form. All values together have at most [web.MaxBody]
// bytes. What is longer is cut off, which is still too long for a message.
func (s *Handlers) readPart(ctx context.Context, part *multipart.Part, form *filledForm) error {
	if part.FormName() != "file" {
		text, err := io.ReadAll(io.LimitReader(part, int64(web.MaxBody-form.bytes)))
		form.bytes += len(text)
		form.values[part.FormName()] = append(form.values[part.FormName()], string(text))
		return err
	}
	upload, size, err := spool(part)
	if err != nil {
		return err
	}
	defer func() { _ = upload.Close() }() // its name is gone already
	switch {
	case part.FileName() == "" && size == 0: // browsers send this for an empty field
		return nil
	case len(form.files) == sessions.MaxGiven:
		return fault.New(fault.Unprocessable, "at most %d files are sent at once", sessions.MaxGiven).At("file").Coded("too_many_files")
	}
	f, err := s.readFile(ctx, part, upload, size)
	if err != nil {
		return err
	}
	form.files = append(form.files, f)
	return nil
}

// spool copies a file that arrives, however slowly, to disk, so that uploads which wait to
// be read take no memory. It copies one byte more than is allowed: the reader refuses such
// a file by its size. The file is gone once it is closed.
func spool(part io.Reader) (upload *os.File, size int64, err error) {
	if upload, err = os.CreateTemp("", "quaestor-upload-*"); err != nil {
		return nil, 0, fmt.Errorf("create a file for an upload: %w", err)
	}
	_ = os.Remove(upload.Name()) // the open descriptor keeps the content until it is closed
	if size, err = io.Copy(upload, io.LimitReader(part, research.MaxAttachment+1)); err == nil {
		_, err = upload.Seek(0, io.SeekStart)
	}
	if err != nil {
		_ = upload.Close()
		return nil, 0, err
	}
	return upload, size, nil
}

// readFile waits for a place among the files that are read, and reads one.
func (s *Handlers) readFile(ctx context.Context, part *multipart.Part, upload io.Reader, size int64) (sessions.File, error) {
	if s.Read == nil {
		return sessions.File{}, errNoReader()
	}
	waiting, stop := context.WithTimeout(ctx, s.fileWait)
	a := web.ActorFrom(ctx)
	release, ok := s.reading.take(waiting, a.Tenant, a.User)
	stop()
	switch {
	case !ok && ctx.Err() != nil:
		return sessions.File{}, ctx.Err()
	case !ok:
		return sessions.File{}, fault.New(fault.Unavailable, "many files are being read just now; try again in a moment").At("file").Coded("files_busy")
	}
	defer release()
	ctx, cancel := context.WithTimeout(ctx, readingLimit)
	defer cancel()
	body := make([]byte, size)
	if _, err := io.ReadFull(upload, body); err != nil {
		return sessions.File{}, fmt.Errorf("read an upload from disk: %w", err)
	}
	return s.Read(ctx, part.FileName(), part.Header.Get("Content-Type"), body)
}

// describeFiles adds the sending of files to the description of the API.
func describeFiles(doc *huma.OpenAPI) {
	sent := &huma.Schema{Type: "object", Required: []string{"file"}, Properties: map[string]*huma.Schema{
		"file": {Type: "array", Description: research.Reads + "; at most 10 MB each, 5 at once", Items: &huma.Schema{Type: "string", Format: "binary"}}}}
	list := doc.Paths["/api/v1/sessions/{id}/files"].Get.Responses["200"]
	doc.AddOperation(&huma.Operation{OperationID: "file-create", Method: http.MethodPost, Path: "/api/v1/sessions/{id}/files",
		Summary: "Give the session files; the same content twice is one file", Tags: []string{"sessions"},
		Parameters:  []*huma.Param{{Name: "id", In: "path", Required: true, Description: "id of the session", Schema: &huma.Schema{Type: "string", Format: "uuid"}}},
		RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"multipart/form-data": {Schema: sent}}},
		Responses: map[string]*huma.Response{"201": {Description: "Created", Content: list.Content}, "200": {Description: "OK: the session had all of them already", Content: list.Content},
			"default": web.DescribeRefusal(doc, "Refused; no file is stored")}})
}

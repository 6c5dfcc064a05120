package research

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"quaestor/internal/fault"
	"quaestor/research/reader"
	"quaestor/sessions"
)

// MaxAttachment is the largest file, in bytes, that can be attached to an
// interview.
const MaxAttachment = 10 << 20

// Reads lists the readable kinds of file, for messages to people.
const Reads = "TXT, MD, CSV, DOCX or PDF"

// maxFileName is the longest file name that is kept, in characters.
const maxFileName = 200

// ReadAttachment extracts the text of a file somebody attached to an interview.
// A file that cannot be used is refused with a fault at the field "file" that
// says what is wrong and what would help: it is too large, empty, of a kind that
// is not read, locked with a password, a scan without text, or in an unknown
// character encoding.
func ReadAttachment(ctx context.Context, r *reader.Reader, name, mediaType string, body []byte) (sessions.File, error) {
	name = fileName(name)
	if err := refuseAttachment(name, body); err != nil {
		return sessions.File{}, err
	}
	doc, err := r.Text(ctx, name, mediaType, body)
	if err != nil {
		return sessions.File{}, unreadable(name, body, err)
	}
	if garbled(doc.Text) && !bytes.ContainsRune(body, utf8.RuneError) {
		return sessions.File{}, unreadableFile("some characters of %s cannot be told; save it as UTF-8 and attach it again", name)
	}
	sum := sha256.Sum256(body)
	f := sessions.File{Attachment: sessions.Attachment{Name: name, Type: doc.Type, Size: int64(len(body))}, SHA256: hex.EncodeToString(sum[:]),
		Parts: doc.Pages, Truncated: doc.Truncated, Text: doc.Text}
	if strings.HasPrefix(doc.Type, "text/csv") {
		f.Parts = len(strings.Split(strings.TrimSpace(doc.Text), "\n"))
	}
	return f, nil
}

// unreadableFile is the fault of a file of a known kind that yields no text.
func unreadableFile(format string, args ...any) *fault.Error {
	return fault.New(fault.Unprocessable, format, args...).At("file").Coded("file_unreadable")
}

// fileName returns the name to show for a file: without its folders, without
// control and format characters, and cut to maxFileName with its ending kept.
func fileName(name string) string {
	name = path.Base(strings.ReplaceAll(strings.ToValidUTF8(name, ""), `\`, "/"))
	name = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, name)), " ")
	if r := []rune(name); len(r) > maxFileName {
		ending := []rune(path.Ext(name))
		name = string(r[:maxFileName-min(len(ending), 10)]) + string(ending[:min(len(ending), 10)])
	}
	if name == "" || name == "." || name == "/" {
		return "file"
	}
	return name
}

// conversionAdvice maps the ending of a kind that is not read to what to do instead.
var conversionAdvice = map[string]string{
	".xlsx": "save the sheet as CSV", ".xls": "save the sheet as CSV", ".ods": "save the sheet as CSV", ".numbers": "save the sheet as CSV",
	".doc": "save it as DOCX or PDF", ".odt": "save it as DOCX or PDF", ".rtf": "save it as DOCX or PDF", ".pages": "save it as DOCX or PDF",
	".ppt": "save it as PDF", ".pptx": "save it as PDF", ".key": "save it as PDF", ".odp": "save it as PDF", ".eml": "copy its text into a message",
	".png": "write down what it shows", ".jpg": "write down what it shows", ".jpeg": "write down what it shows", ".gif": "write down what it shows",
	".heic": "write down what it shows", ".webp": "write down what it shows", ".zip": "unpack it and attach the files in it",
	".html": "save it as PDF, or copy its text", ".htm": "save it as PDF, or copy its text",
}

// knownEndings lists the endings of the kinds that are read. A name without an ending is
// judged by the file's content.
var knownEndings = []string{".txt", ".text", ".md", ".markdown", ".csv", ".tsv", ".docx", ".pdf", ""}

// locked is the first bytes of an office document encrypted with a password (an
// OLE container).
const locked = "\xd0\xcf\x11\xe0"

// refuseAttachment checks a file by its name, its size and its first bytes,
// before any reading is tried.
func refuseAttachment(name string, body []byte) error {
	ending := strings.ToLower(path.Ext(name))
	switch {
	case len(body) > MaxAttachment:
		return fault.New(fault.TooLarge, "%s has more than %d MB; attach the part that matters", name, MaxAttachment>>20).At("file").Coded("file_too_large")
	case len(bytes.TrimSpace(body)) == 0:
		return unreadableFile("%s is empty; attach a file with text in it", name)
	case conversionAdvice[ending] != "":
		return unknownKind(name, conversionAdvice[ending])
	case len(ending) <= 6 && !strings.Contains(ending, " ") && !isKnown(ending):
		return unknownKind(name, "save it as one of these")
	case ending == ".docx" && bytes.HasPrefix(body, []byte(locked)):
		return unreadableFile("%s is locked with a password; save a copy without one and attach that", name)
	case holdsNUL(body):
		return unreadableFile("%s is no plain text, for it holds NUL characters; save it as UTF-8 text and attach it again", name)
	}
	return nil
}

// unknownKind is the fault of a kind of file that is not read, with what to do
// instead.
func unknownKind(name, remedy string) error {
	return fault.New(fault.Unsupported, "%s is of a kind that is not read: files are %s; %s", name, Reads, remedy).At("file").Coded("file_kind_unknown")
}

// isKnown reports whether a name's ending, in lower case, is of a readable kind.
func isKnown(ending string) bool {
	for _, k := range knownEndings {
		if k == ending {
			return true
		}
	}
	return false
}

// holdsNUL reports whether a text file contains NUL bytes, which makes it binary.
// Formats that may contain them, and UTF-16 with its byte-order mark, are exempt.
func holdsNUL(body []byte) bool {
	head := body[:min(len(body), 1024)]
	for _, mark := range []string{"PK\x03\x04", "\xff\xfe", "\xfe\xff", locked} {
		if bytes.HasPrefix(body, []byte(mark)) {
			return false
		}
	}
	return !bytes.Contains(head, []byte("%PDF-")) && bytes.IndexByte(body, 0) >= 0
}

// maxGarbled is the tolerated share of undecodable characters: one in so many.
const maxGarbled = 1000

// garbled reports whether too many characters of a text could not be decoded.
func garbled(text string) bool {
	lost := strings.Count(text, string(utf8.RuneError))
	return lost > 0 && lost*maxGarbled > utf8.RuneCountInString(text)
}

// unreadable turns the reader's error into a fault that says what would help.
func unreadable(name string, body []byte, err error) error {
	var e *reader.Error
	if !errors.As(err, &e) {
		return err
	}
	isPDF := bytes.Contains(body[:min(len(body), 1024)], []byte("%PDF-"))
	switch {
	case e.Kind == reader.Timeout:
		return fault.New(fault.Unavailable, "reading %s took too long; try again, or attach a shorter one", name).At("file").Coded("file_unread").Because(err)
	case e.Kind == reader.Empty && isPDF:
		return unreadableFile("%s is a PDF of pictures without text; attach one with text, or type the parts that matter", name)
	case e.Kind == reader.Empty:
		return unreadableFile("there are no words to read in %s; attach a file with text in it", name)
	case strings.Contains(e.Detail, "password"):
		return unreadableFile("%s is locked with a password; save a copy without one and attach that", name)
	case e.Kind == reader.TooLarge:
		return fault.New(fault.TooLarge, "%s says too much to be read; attach the part that matters", name).At("file").Coded("file_too_large")
	}
	return fault.New(fault.Unsupported, "%s; files are %s", strings.TrimSuffix(e.Detail, "."), Reads).At("file").Coded("file_kind_unknown").Because(err)
}

package chat

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"sync"
)

// form is a block of data in a prompt: the words of a template before, between and
// after its holes. They are the same in every prompt, so they are rendered once; a
// template that is filled in anew takes as long as all the JSON in it.
type form []string

// mark stands in a hole while a form is made; no template holds it.
const mark = "\x00"

func mustForm(name string) form { return strings.Split(rendered(name, limits), mark) }

// The blocks of a briefing, in their order.
var (
	interviewForm   = mustForm("interview")
	speakerForm     = mustForm("speaker")
	obligationsForm = mustForm("obligations") // how many of how many, and which
	summaryForm     = mustForm("summary")
	memoryForm      = mustForm("memory")
	transcriptForm  = mustForm("transcript")
	researchForm    = mustForm("research")
	filesForm       = mustForm("files")
	askedForm       = mustForm("asked")
	planForm        = mustForm("plan")
)

// page is data for a prompt in the making, some 20 KB.
type page struct {
	bytes.Buffer
	json *json.Encoder // into the buffer; it escapes <, > and &, so that no text in the data can look like the mark that ends it
}

var pages = sync.Pool{New: func() any {
	p := new(page)
	p.json = json.NewEncoder(&p.Buffer)
	return p
}}

// written returns what write puts on a page, without white space around it.
func written(write func(*page)) string {
	p := pages.Get().(*page)
	defer pages.Put(p)
	p.Reset()
	write(p)
	return string(bytes.TrimSpace(p.Bytes()))
}

// words fills f in with texts, as they are, up to its last hole.
func (p *page) words(f form, texts ...string) {
	for i, text := range texts {
		p.WriteString(f[i])
		p.WriteString(text)
	}
	p.WriteString(f[len(texts)])
}

// data fills the last hole of f, which has only that, with v on one line.
func (p *page) data(f form, v any) {
	p.WriteString(f[0])
	p.line(v)
	p.end(f)
}

// rows fills the last hole of f with a list that is not empty, one a line; the
// numbers go into the holes before it.
func rows[T any](p *page, f form, list []T, numbers ...int) {
	for i, n := range numbers {
		p.WriteString(f[i])
		p.WriteString(strconv.Itoa(n))
	}
	p.WriteString(f[len(numbers)])
	for i := range list {
		p.line(&list[i])
	}
	p.end(f)
}

// line writes v and ends the line. Only a value that is no JSON makes it fail, and
// none is stored.
func (p *page) line(v any) {
	if err := p.json.Encode(v); err != nil {
		panic("chat: data of a prompt: " + err.Error())
	}
}

// end writes what stands behind the last hole of f, which a line has ended.
func (p *page) end(f form) { p.WriteString(strings.TrimPrefix(f[len(f)-1], "\n")) }

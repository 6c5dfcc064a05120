package llm

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"sync"
)

// lineBuffer is the size of the pooled buffers. A piece's line has 200 to 400
// bytes, so some fit and a stream holds little memory.
const lineBuffer = 1 << 10

// lineBuffers are the readers not in use.
var lineBuffers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, lineBuffer) }}

// byteOrderMark may stand at the very start of a stream.
var byteOrderMark = []byte("\xef\xbb\xbf")

// lines cuts an event stream into lines with one reused buffer. Call close when
// done with it and its last line.
type lines struct {
	r       *bufio.Reader
	long    []byte // holds a line larger than the buffer; grows as needed
	maxLine int    // bytes of one line
	left    int64  // bytes of the stream still allowed
	begun   bool
}

// newLines reads from r at most maxTotal bytes, in lines of at most maxLine.
func newLines(r io.Reader, maxLine int, maxTotal int64) *lines {
	buffered := lineBuffers.Get().(*bufio.Reader)
	buffered.Reset(r)
	return &lines{r: buffered, maxLine: maxLine, left: maxTotal}
}

// close gives the buffer back.
func (l *lines) close() {
	l.r.Reset(nil)
	lineBuffers.Put(l.r)
	l.r = nil
}

// next returns the next line without its end. The line is valid until the next
// call. At the end of the stream the error is io.EOF, with what came after the
// last line end as the line. Past a limit it is errTooLarge.
func (l *lines) next() ([]byte, error) {
	line, err := l.r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		line, err = l.spill(line)
	}
	l.left -= int64(len(line))
	if l.left < 0 {
		return nil, errTooLarge
	}
	if !l.begun {
		l.begun = true
		line = bytes.TrimPrefix(line, byteOrderMark)
	}
	return bytes.TrimRight(line, "\r\n"), err
}

// spill gathers a line that begins with the full buffer head.
func (l *lines) spill(head []byte) ([]byte, error) {
	l.long = append(l.long[:0], head...)
	for {
		part, err := l.r.ReadSlice('\n')
		if len(l.long)+len(part) > min(l.maxLine, int(l.left)) {
			return nil, errTooLarge
		}
		l.long = append(l.long, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return l.long, err
		}
	}
}

// eventData returns the data of an event line, with ok false for comments, empty
// lines and other fields.
func eventData(line []byte) (data []byte, ok bool) {
	data, ok = bytes.CutPrefix(line, []byte("data:"))
	return bytes.TrimSpace(data), ok
}

package sqlserver

import (
	"encoding/binary"
	"io"
	"math"
	"net"
	"strings"
	"sync"
	"testing"
	"unicode/utf16"
)

// lab is a server that speaks TDS 7.4: as much of it as a connection needs. What it
// answers to a statement says the test.
type lab struct {
	t      *testing.T
	l      net.Listener
	answer func(sql, arg string) reply
	wg     sync.WaitGroup

	mu                             sync.Mutex
	conns                          []net.Conn
	seen                           []string // statements, in order
	begun, undone, kept, attention int
}

// reply is what a statement gives.
type reply struct {
	columns []field
	rows    [][]any
	number  int32 // of an error; 0 for none
	message string
	hang    bool // until the client wants it to stop
	hangUp  bool // in the middle of the answer
}

type field struct{ name, typ string }

func open(t *testing.T, answer func(sql, arg string) reply) *lab {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &lab{t: t, l: l, answer: answer}
	s.wg.Go(s.accept)
	t.Cleanup(func() {
		_ = l.Close()
		s.cut()
		s.wg.Wait()
	})
	return s
}

// cut ends every connection.
func (s *lab) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		_ = c.Close()
	}
	s.conns = nil
}

func (s *lab) accept() {
	for {
		c, err := s.l.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		s.conns = append(s.conns, c)
		s.mu.Unlock()
		s.wg.Go(func() { s.serve(c) })
	}
}

// The kinds of message.
const (
	msgBatch, msgRPC, msgAttention, msgTransaction, msgLogin, msgPrelogin = 1, 3, 6, 14, 16, 18
)

func (s *lab) serve(c net.Conn) {
	defer c.Close()
	for {
		kind, body, err := message(c)
		if err != nil {
			return
		}
		out := s.respond(kind, body)
		if out == nil {
			continue // it hangs, until attention
		}
		if len(out) == 0 || send(c, out) != nil {
			return
		}
	}
}

// message reads one message of however many packets.
func message(c net.Conn) (kind byte, body []byte, err error) {
	for {
		var head [8]byte
		if _, err := io.ReadFull(c, head[:]); err != nil {
			return 0, nil, err
		}
		part := make([]byte, binary.BigEndian.Uint16(head[2:])-8)
		if _, err := io.ReadFull(c, part); err != nil {
			return 0, nil, err
		}
		body = append(body, part...)
		if head[1]&1 != 0 {
			return head[0], body, nil
		}
	}
}

const packet = 4000

func send(c net.Conn, body []byte) error {
	for first := true; first || len(body) > 0; first = false {
		part := body[:min(len(body), packet)]
		body = body[len(part):]
		head := []byte{4, 0, 0, 0, 0, 0, 1, 0}
		if len(body) == 0 {
			head[1] = 1
		}
		binary.BigEndian.PutUint16(head[2:], uint16(len(part)+8))
		if _, err := c.Write(append(head, part...)); err != nil {
			return err
		}
	}
	return nil
}

func (s *lab) respond(kind byte, body []byte) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch kind {
	case msgPrelogin:
		return []byte{0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff, 16, 0, 0, 0, 0, 0, 2} // version 16, no encryption
	case msgLogin:
		out := []byte{0xAD}
		ack := append([]byte{1, 0x74, 0, 0, 4, 3}, ucs2("SQL")...)
		ack = append(ack, 16, 0, 0, 0)
		return append(append(binary.LittleEndian.AppendUint16(out, uint16(len(ack))), ack...), done(0)...)
	case msgTransaction:
		return s.transaction(binary.LittleEndian.Uint16(body[binary.LittleEndian.Uint32(body):]))
	case msgAttention:
		s.attention++
		return done(0x20)
	case msgBatch:
		return s.run(text(body[binary.LittleEndian.Uint32(body):]), "")
	case msgRPC:
		return s.run(call(body[binary.LittleEndian.Uint32(body):]))
	}
	return []byte{}
}

func (s *lab) transaction(request uint16) []byte {
	id := []byte{1, 2, 3, 4, 5, 6, 7, 8}
	switch request {
	case 5:
		s.begun++
		return append(append([]byte{0xE3, 11, 0, 8, 8}, id...), append([]byte{0}, done(0)...)...)
	case 8:
		s.undone++
		return append(append([]byte{0xE3, 11, 0, 10, 0, 8}, id...), done(0)...)
	default:
		s.kept++
		return append(append([]byte{0xE3, 11, 0, 9, 0, 8}, id...), done(0)...)
	}
}

// run answers a statement.
func (s *lab) run(sql, arg string) []byte {
	s.seen = append(s.seen, sql)
	r := s.answer(sql, arg)
	if r.hang {
		return nil
	}
	out := encode(r)
	if r.hangUp {
		return []byte{}
	}
	return out
}

// call reads the statement and the first value of a call of sp_executesql.
func call(b []byte) (sql, arg string) {
	n := binary.LittleEndian.Uint16(b)
	if b = b[2:]; n == 0xffff {
		b = b[2:]
	} else {
		b = b[2*int(n):]
	}
	b = b[2:]
	var values []string
	for len(b) > 0 {
		var v string
		v, b = parameter(b)
		values = append(values, v)
	}
	if len(values) > 2 {
		arg = values[2]
	}
	return values[0], arg
}

// parameter reads one value, which is text.
func parameter(b []byte) (string, []byte) {
	b = b[1+2*int(b[0]):] // its name
	b = b[2:]             // flags and type, which is nvarchar
	long := binary.LittleEndian.Uint16(b) == 0xffff
	b = b[2+5:]
	if !long {
		n := int(binary.LittleEndian.Uint16(b))
		return text(b[2 : 2+n]), b[2+n:]
	}
	b = b[8:]
	var out []byte
	for {
		n := int(binary.LittleEndian.Uint32(b))
		b = b[4:]
		if n == 0 {
			return text(out), b
		}
		out, b = append(out, b[:n]...), b[n:]
	}
}

func text(b []byte) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units))
}

func ucs2(s string) []byte {
	var out []byte
	for _, u := range utf16.Encode([]rune(s)) {
		out = binary.LittleEndian.AppendUint16(out, u)
	}
	return out
}

func done(status uint16) []byte {
	return append(binary.LittleEndian.AppendUint16([]byte{0xFD}, status), make([]byte, 10)...)
}

var collation = []byte{9, 4, 0xd0, 0, 0x34}

// encode writes an answer.
func encode(r reply) []byte {
	if r.number != 0 {
		msg := binary.LittleEndian.AppendUint32(nil, uint32(r.number))
		msg = append(msg, 1, 16)
		msg = append(binary.LittleEndian.AppendUint16(msg, uint16(len(utf16.Encode([]rune(r.message))))), ucs2(r.message)...)
		msg = append(msg, 0, 0, 1, 0, 0, 0)
		return append(append(binary.LittleEndian.AppendUint16([]byte{0xAA}, uint16(len(msg))), msg...), done(2)...)
	}
	if len(r.columns) == 0 {
		return done(0)
	}
	out := binary.LittleEndian.AppendUint16([]byte{0x81}, uint16(len(r.columns)))
	for _, c := range r.columns {
		out = append(out, 0, 0, 0, 0, 1, 0)
		out = append(out, types[c.typ]...)
		out = append(append(out, byte(len(utf16.Encode([]rune(c.name))))), ucs2(c.name)...)
	}
	for _, row := range r.rows {
		out = append(out, 0xD1)
		for i, v := range row {
			out = append(out, cell(r.columns[i].typ, v)...)
		}
	}
	return append(out, done(0)...)
}

// types are how types are written before rows.
var types = map[string][]byte{
	"bigint": {0x26, 8}, "bit": {0x68, 1}, "float": {0x6D, 8}, "decimal": {0x6A, 17, 38, 2}, "date": {0x28}, "guid": {0x24, 16},
	"nvarchar": append([]byte{0xE7, 0x40, 0x1f}, collation...), "varbinary": {0xA5, 0x40, 0x1f},
}

// cell writes a value.
func cell(typ string, v any) []byte {
	if v == nil {
		if typ == "nvarchar" || typ == "varbinary" {
			return []byte{0xff, 0xff}
		}
		return []byte{0}
	}
	switch v := v.(type) {
	case int:
		if typ == "decimal" {
			return append([]byte{9, 1}, binary.LittleEndian.AppendUint64(nil, uint64(v))...)
		}
		if typ == "date" {
			return append([]byte{3}, byte(v), byte(v>>8), byte(v>>16))
		}
		return append([]byte{8}, binary.LittleEndian.AppendUint64(nil, uint64(v))...)
	case bool:
		if v {
			return []byte{1, 1}
		}
		return []byte{1, 0}
	case float64:
		return append([]byte{8}, binary.LittleEndian.AppendUint64(nil, math.Float64bits(v))...)
	case []byte:
		if typ == "guid" {
			return append([]byte{16}, v...)
		}
		return append(binary.LittleEndian.AppendUint16(nil, uint16(len(v))), v...)
	case string:
		b := ucs2(v)
		return append(binary.LittleEndian.AppendUint16(nil, uint16(len(b))), b...)
	}
	panic("no such value")
}

// calm answers what a connection asks for itself, and rest the other statements.
func calm(rest func(sql, arg string) reply) func(sql, arg string) reply {
	return func(sql, arg string) reply {
		switch {
		case strings.HasPrefix(sql, "SET "):
			return reply{}
		case strings.Contains(sql, "SERVERPROPERTY"):
			return reply{columns: []field{{"version", "nvarchar"}, {"role", "nvarchar"}}, rows: [][]any{{"16.0.1000.6", "quaestor"}}}
		}
		return rest(sql, arg)
	}
}

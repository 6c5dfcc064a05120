package main

import (
	"encoding/binary"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// send is a message of a client.
func send(kind byte, body string) []byte {
	out := binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(body)+lengthBytes))
	return append(out, body...)
}

// hello sets a connection up, as every recording begins.
func hello() []byte {
	body := "\x00\x03\x00\x00user\x00quaestor\x00\x00"
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(body)+lengthBytes)), body...)
}

func prepare(name, sql string) []byte { return send('P', name+"\x00"+sql+"\x00\x00\x00") }
func bind(name string) []byte         { return send('B', "\x00"+name+"\x00\x00\x00\x00\x00\x00\x00") }
func execute() []byte                 { return send('E', "\x00\x00\x00\x00\x00") }
func flush() []byte                   { return send('S', "") }
func query(sql string) []byte         { return send('Q', sql+"\x00") }

const turnSQL = "-- name: TurnBegin :one\nUPDATE elicitation_sessions SET turn_count = 1"

func TestCounter(t *testing.T) {
	t.Parallel()

	tests := []struct {
		name string
		in   [][]byte
		want tally
	}{
		{"setting up does not count", nil, tally{}},
		{"a pipeline is one round trip", [][]byte{prepare("a", turnSQL), bind("a"), execute(), bind("a"), execute(), flush()}, tally{2, 1, 1}},
		{"what was prepared is known by its name", [][]byte{prepare("a", turnSQL), send('D', "Sa\x00"), flush(), bind("a"), execute(), flush()}, tally{1, 1, 2}},
		{"a transaction step by step", [][]byte{query("begin"), query(turnSQL), query("INSERT INTO river_job VALUES (1)"), query("commit")}, tally{1, 1, 4}},
		{"the tenant's name says nothing", [][]byte{prepare("t", "SELECT set_config('app.tenant', '1', true)"), bind("t"), execute(), prepare("a", turnSQL), bind("a"), execute(), flush()}, tally{1, 1, 1}},
		{"waking others", [][]byte{query("-- name: Wake :exec\nSELECT pg_notify('quaestor', x) FROM unnest($1) AS x")}, tally{0, 0, 1}},
		{"heartbeats and pings", [][]byte{query("-- ping"), query("-- name: Beat :exec\nUPDATE instances SET at = now()"), query(`LISTEN "quaestor"`)}, tally{0, 0, 3}},
		{"the end is no round trip", [][]byte{send('X', "")}, tally{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if got := counted(slices.Concat(tt.in...), func(n int) int { return n }); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

// However the network cuts the bytes, what is counted is the same.
func TestCounterWithAnyCuts(t *testing.T) {
	t.Parallel()

	recording := slices.Concat(prepare("a", turnSQL), flush(), bind("a"), execute(), bind("a"), execute(), flush(),
		query("begin"), query("INSERT INTO messages VALUES ('"+string(make([]byte, 2000))+"')"), query("commit"))
	rapid.Check(t, func(t *rapid.T) {
		got := counted(recording, func(n int) int { return rapid.IntRange(1, n).Draw(t, "cut") })
		if want := (tally{3, 2, 5}); got != want {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}

// counted returns what a counter makes of a recording; cut tells how much of what
// remains comes next.
func counted(recording []byte, cut func(n int) int) tally {
	c := newCounter()
	for data := append(hello(), recording...); len(data) > 0; {
		n := cut(len(data))
		c.feed(data[:n])
		data = data[n:]
	}
	return c.sum()
}

func FuzzFrames(f *testing.F) {
	f.Add(hello(), true, 3)
	f.Add(slices.Concat(bind("a"), execute(), flush()), false, 1)
	f.Fuzz(func(t *testing.T, data []byte, startup bool, cut int) {
		whole, parts := frames{startup: startup}, frames{startup: startup}
		var want, got []byte
		whole.feed(data, func(kind byte, _ []byte) { want = append(want, kind) })
		cut = min(max(cut, 0), len(data))
		for _, p := range [][]byte{data[:cut], data[cut:]} {
			parts.feed(p, func(kind byte, _ []byte) { got = append(got, kind) })
		}
		if !slices.Equal(want, got) {
			t.Errorf("cut at %d: messages %q, want %q", cut, got, want)
		}
	})
}

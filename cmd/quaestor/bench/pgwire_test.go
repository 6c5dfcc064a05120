package main

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// step is bytes in one direction, as a recording of a connection has them.
type step struct {
	up   bool
	data []byte
}

// say is a message of a client or a server.
func say(kind byte, body string) []byte {
	out := []byte{kind}
	out = binary.BigEndian.AppendUint32(out, uint32(len(body)+4))
	return append(out, body...)
}

func up(parts ...[]byte) step   { return step{true, slices.Concat(parts...)} }
func down(parts ...[]byte) step { return step{false, slices.Concat(parts...)} }

// hello sets a connection up, as every recording begins.
func hello() []step {
	body := "\x00\x03\x00\x00user\x00quaestor\x00\x00"
	start := append(binary.BigEndian.AppendUint32(nil, uint32(len(body)+4)), body...)
	return []step{up(start), down(say('R', "\x00\x00\x00\x00"), say('S', "TimeZone\x00UTC\x00"), say('Z', "I"))}
}

func prepare(name, sql string) []byte { return say('P', name+"\x00"+sql+"\x00\x00\x00") }
func bind(name string) []byte         { return say('B', "\x00"+name+"\x00\x00\x00\x00\x00\x00\x00") }
func execute() []byte                 { return say('E', "\x00\x00\x00\x00\x00") }
func flushed() []byte                 { return say('S', "") }
func query(sql string) []byte         { return say('Q', sql+"\x00") }
func done(state string) []byte        { return slices.Concat(say('C', "SELECT 1\x00"), say('Z', state)) }

const turnSQL = "-- name: TurnBegin :one\nUPDATE elicitation_sessions SET turn_count = 1"

func TestLedger(t *testing.T) {
	t.Parallel()

	tests := []struct {
		name string
		in   []step
		want map[class]tally // without bytes
	}{
		{"setting up does not count", nil, map[class]tally{}},
		{"a pipeline is one round trip",
			[]step{up(prepare("a", turnSQL), bind("a"), execute(), bind("a"), execute(), flushed()), down(done("I"))},
			map[class]tally{ofTurn: {trips: 1, statements: 2}}},
		{"what was prepared is known by its name",
			[]step{up(prepare("a", turnSQL), say('D', "Sa\x00"), flushed()), down(say('1', ""), say('Z', "I")), up(bind("a"), execute(), flushed()), down(done("I"))},
			map[class]tally{background: {trips: 1}, ofTurn: {trips: 1, statements: 1}}},
		{"two syncs sent together are one round trip",
			[]step{up(prepare("", turnSQL), bind(""), execute(), flushed(), bind(""), execute(), flushed()), down(done("I")), down(done("I"))},
			map[class]tally{ofTurn: {trips: 1, statements: 2}}},
		{"a transaction step by step",
			[]step{up(query("begin")), down(done("T")), up(query(turnSQL)), down(done("T")), up(query("INSERT INTO river_job VALUES (1)")), down(done("T")), up(query("commit")), down(done("I"))},
			map[class]tally{ofTurn: {trips: 4, statements: 4}}},
		{"the queue's transaction",
			[]step{up(query("begin")), down(done("T")), up(query("SELECT * FROM river_job")), down(done("T")), up(query("commit")), down(done("I"))},
			map[class]tally{background: {trips: 3, statements: 3}}},
		{"waking others",
			[]step{up(query("SELECT pg_notify('quaestor', x) FROM unnest($1) AS x")), down(done("I"))},
			map[class]tally{ofWaking: {trips: 1, statements: 1}}},
		{"the tenant's name says nothing",
			[]step{up(query("SELECT set_config('app.tenant', '1', true)"), query("SELECT * FROM messages")), down(done("I"), done("I"))},
			map[class]tally{ofTurn: {trips: 1, statements: 2}}},
		{"a failed transaction is rolled back",
			[]step{up(query("begin")), down(done("T")), up(query(turnSQL)), down(say('E', "SERROR\x00\x00"), say('Z', "E")), up(query("rollback")), down(done("I")), up(query("-- ping")), down(done("I"))},
			map[class]tally{ofTurn: {trips: 3, statements: 3}, background: {trips: 1, statements: 1}}},
		{"a notification comes unasked",
			[]step{up(query(`LISTEN "quaestor"`)), down(done("I")), down(say('A', "\x00\x00\x00\x01quaestor\x00s:1\x00"))},
			map[class]tally{background: {trips: 1, statements: 1}}},
		{"an answer is not over before ReadyForQuery",
			[]step{up(query(turnSQL)), down(say('T', "\x00\x00"))},
			map[class]tally{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			for _, chunk := range []int{1, 3, 7, 1 << 20} {
				got := withoutBytes(replay(append(hello(), tt.in...), func(n int) int { return min(chunk, n) }))
				if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(tally{})); diff != "" {
					t.Errorf("in pieces of %d bytes (-want +got):\n%s", chunk, diff)
				}
			}
		})
	}
}

func TestLedgerCountsBytes(t *testing.T) {
	t.Parallel()

	question, answer := query(turnSQL), done("I")

	got := replay(append(hello(), up(question), down(answer)), func(n int) int { return n })[ofTurn]

	want := tally{trips: 1, statements: 1, up: int64(len(question)), down: int64(len(answer))}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// However the network cuts the bytes, what is counted is the same.
func TestLedgerWithAnyCuts(t *testing.T) {
	t.Parallel()

	recording := append(hello(),
		up(prepare("a", turnSQL), flushed()), down(say('Z', "I")), up(bind("a"), execute(), bind("a"), execute(), flushed()), down(done("I")),
		up(query("begin")), down(done("T")), up(query("INSERT INTO messages VALUES ('"+string(make([]byte, 2000))+"')")), down(done("T")), up(query("commit")), down(done("I")))
	want := replay(recording, func(n int) int { return n })

	rapid.Check(t, func(t *rapid.T) {
		got := replay(recording, func(n int) int { return rapid.IntRange(1, n).Draw(t, "cut") })
		if got != want {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}

// replay runs a recording through a ledger; cut says how much of what is left of
// a step comes next.
func replay(steps []step, cut func(n int) int) [classes]tally {
	l := newLedger()
	for _, s := range steps {
		for data := s.data; len(data) > 0; {
			n := cut(len(data))
			if s.up {
				l.fromClient(data[:n])
			} else {
				l.fromServer(data[:n])
			}
			data = data[n:]
		}
	}
	var out [classes]tally
	for c := range classes {
		out[c] = l.total(c)
	}
	return out
}

func withoutBytes(all [classes]tally) map[class]tally {
	out := map[class]tally{}
	for c, t := range all {
		if t.trips > 0 {
			out[class(c)] = tally{trips: t.trips, statements: t.statements}
		}
	}
	return out
}

func FuzzFrames(f *testing.F) {
	for _, s := range hello() {
		f.Add(s.data, s.up, 3)
	}
	f.Add(slices.Concat(bind("a"), execute(), flushed()), false, 1)
	f.Fuzz(func(t *testing.T, data []byte, startup bool, cut int) {
		whole, parts := frames{startup: startup}, frames{startup: startup}
		var want, got []int
		whole.feed(data, func(_ byte, _ []byte, size int) { want = append(want, size) })
		cut = min(max(cut, 0), len(data))
		for _, p := range [][]byte{data[:cut], data[cut:]} {
			parts.feed(p, func(_ byte, _ []byte, size int) { got = append(got, size) })
		}
		if !slices.Equal(want, got) {
			t.Errorf("cut at %d: messages of %v bytes, want %v", cut, got, want)
		}
	})
}

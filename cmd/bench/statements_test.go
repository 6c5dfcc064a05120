package main

import (
	"bytes"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
)

func prepare(name, sql string) pgproto3.FrontendMessage {
	return &pgproto3.Parse{Name: name, Query: sql}
}
func bind(name string) pgproto3.FrontendMessage { return &pgproto3.Bind{PreparedStatement: name} }
func execute() pgproto3.FrontendMessage         { return &pgproto3.Execute{} }
func flush() pgproto3.FrontendMessage           { return &pgproto3.Sync{} }
func query(sql string) pgproto3.FrontendMessage { return &pgproto3.Query{String: sql} }

const turnSQL = "-- name: TurnBegin :one\nUPDATE elicitation_sessions SET turn_count = 1"

func TestCounter(t *testing.T) {
	t.Parallel()

	tests := []struct {
		name string
		in   []pgproto3.FrontendMessage
		want tally
	}{
		{"setting up does not count", nil, tally{}},
		{"a pipeline is one round trip", []pgproto3.FrontendMessage{prepare("a", turnSQL), bind("a"), execute(), bind("a"), execute(), flush()}, tally{2, 1, 1}},
		{"what was prepared is known by its name", []pgproto3.FrontendMessage{prepare("a", turnSQL), &pgproto3.Describe{ObjectType: 'S', Name: "a"}, flush(), bind("a"), execute(), flush()}, tally{1, 1, 2}},
		{"a transaction step by step", []pgproto3.FrontendMessage{query("begin"), query(turnSQL), query("INSERT INTO river_job VALUES (1)"), query("commit")}, tally{1, 1, 4}},
		{"the tenant's name says nothing", []pgproto3.FrontendMessage{prepare("t", "SELECT set_config('app.tenant', '1', true)"), bind("t"), execute(), prepare("a", turnSQL), bind("a"), execute(), flush()}, tally{1, 1, 1}},
		{"waking others", []pgproto3.FrontendMessage{query("-- name: Wake :exec\nSELECT pg_notify('quaestor', x) FROM unnest($1) AS x")}, tally{0, 0, 1}},
		{"heartbeats and pings", []pgproto3.FrontendMessage{query("-- ping"), query("-- name: Beat :exec\nUPDATE instances SET at = now()"), query(`LISTEN "quaestor"`)}, tally{0, 0, 3}},
		{"the end is no round trip", []pgproto3.FrontendMessage{&pgproto3.Terminate{}}, tally{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			var sent bytes.Buffer
			f := pgproto3.NewFrontend(&sent, &sent)
			f.Send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersionNumber, Parameters: map[string]string{"user": "quaestor"}})
			for _, m := range tt.in {
				f.Send(m)
			}
			if err := f.Flush(); err != nil {
				t.Fatal(err)
			}
			c := &counter{}
			_ = c.read(&sent) // ends with the recording
			if got := c.sum(); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

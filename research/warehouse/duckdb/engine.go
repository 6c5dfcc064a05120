//go:build duckdb && cgo

package duckdb

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"time"

	b "github.com/duckdb/duckdb-go-bindings"
)

// built is whether the engine is part of this program.
const built = true

// engine is DuckDB with its data open. It lives in the child and is used by one goroutine, apart
// from interrupts.
type engine struct {
	db   b.Database
	conn b.Connection
}

// openEngine opens a file, or an empty database if file is empty. mode is DuckDB's access mode.
// Extensions are not loaded or installed by themselves, because they could reach other files and
// servers. Two threads leave the machine to others.
func openEngine(file string, o openRequest, mode string) (*engine, error) {
	settings := [][2]string{
		{"memory_limit", strconv.FormatInt(o.Memory, 10) + "B"},
		{"threads", strconv.Itoa(min(2, runtime.NumCPU()))},
		{"autoinstall_known_extensions", "false"},
		{"autoload_known_extensions", "false"},
		{"allow_community_extensions", "false"},
		{"allow_unsigned_extensions", "false"},
		{"max_expression_depth", "500"},
		{"temp_directory", o.Scratch},
		{"max_temp_directory_size", strconv.Itoa(scratchBytes) + "B"},
	}
	if file != "" {
		settings = append(settings, [2]string{"access_mode", mode})
	}
	var config b.Config
	if b.CreateConfig(&config) != b.StateSuccess {
		return nil, errors.New("DuckDB cannot be configured")
	}
	defer b.DestroyConfig(&config)
	for _, s := range settings {
		if b.SetConfig(config, s[0], s[1]) != b.StateSuccess {
			return nil, fmt.Errorf("DuckDB does not know the setting %s", s[0])
		}
	}
	e := &engine{}
	var message string
	if b.OpenExt(file, &e.db, config, &message) != b.StateSuccess {
		return nil, engineError(message)
	}
	if b.Connect(e.db, &e.conn) != b.StateSuccess {
		return nil, errors.New("DuckDB does not connect")
	}
	return e, nil
}

// lock confines the engine to the given files and forbids further changes of settings. After it,
// not even a trusted statement can open another file.
func (e *engine) lock(files []source) error {
	paths := make([]string, 0, len(files))
	for _, f := range files {
		paths = append(paths, quoteText(f.Path))
	}
	for _, sql := range []string{
		"SET TimeZone = 'UTC'",
		"SET allowed_paths = [" + strings.Join(paths, ", ") + "]",
		"SET enable_external_access = false",
		"SET lock_configuration = true",
	} {
		if err := e.exec(sql); err != nil {
			return err
		}
	}
	return nil
}

// exec runs trusted statements and discards their results.
func (e *engine) exec(sql string) error {
	var r b.Result
	defer b.DestroyResult(&r)
	if b.Query(e.conn, sql, &r) != b.StateSuccess {
		return engineError(b.ResultError(&r))
	}
	return nil
}

// text runs a trusted statement that returns a single text.
func (e *engine) text(sql string, arguments ...string) (string, error) {
	var s b.PreparedStatement
	defer b.DestroyPrepare(&s)
	if b.Prepare(e.conn, sql, &s) != b.StateSuccess {
		return "", engineError(b.PrepareError(s))
	}
	for i, a := range arguments {
		if b.BindVarcharLength(s, b.IdxT(i+1), a, b.IdxT(len(a))) != b.StateSuccess {
			return "", errors.New("DuckDB does not take the argument")
		}
	}
	var r b.Result
	defer b.DestroyResult(&r)
	if b.ExecutePrepared(s, &r) != b.StateSuccess {
		return "", engineError(b.ResultError(&r))
	}
	chunk := b.FetchChunk(r)
	if chunk.Ptr == nil {
		return "", errors.New("DuckDB gives no row")
	}
	defer b.DestroyDataChunk(&chunk)
	v := b.DataChunkGetVector(chunk, 0)
	if b.DataChunkGetSize(chunk) != 1 || b.ColumnType(&r, 0) != b.TypeVarchar || isNull(b.VectorGetValidity(v), 0) {
		return "", errors.New("DuckDB gives no text")
	}
	return strings.Clone(textAt(b.VectorGetData(v), 0)), nil
}

// prepare prepares sql, which must be a single SELECT without parameters.
func (e *engine) prepare(sql string) (b.PreparedStatement, error) {
	var all b.ExtractedStatements
	defer b.DestroyExtracted(&all)
	var s b.PreparedStatement
	switch n := b.ExtractStatements(e.conn, sql, &all); {
	case n == 0:
		return s, engineError(b.ExtractStatementsError(all))
	case n > 1:
		return s, engineError("Parser Error: Only SELECT is possible, and one of them at a time")
	}
	if b.PrepareExtractedStatement(e.conn, all, 0, &s) != b.StateSuccess {
		err := engineError(b.PrepareError(s))
		b.DestroyPrepare(&s)
		return s, err
	}
	if b.PreparedStatementType(s) != b.StatementTypeSelect || b.NParams(s) != 0 {
		b.DestroyPrepare(&s)
		return s, engineError("Parser Error: Only SELECT is possible, without parameters")
	}
	return s, nil
}

// query runs one SELECT in a read-only transaction and sends its result.
func (e *engine) query(q request, out sender) (queryEnd, error) {
	stop := e.interruptAfter(time.Duration(q.Millis) * time.Millisecond)
	defer stop()
	if err := e.exec("BEGIN TRANSACTION READ ONLY"); err != nil {
		return queryEnd{}, err
	}
	defer func() { _ = e.exec("ROLLBACK") }()
	s, err := e.prepare(q.Text)
	if err != nil {
		return queryEnd{}, err
	}
	defer func() { b.DestroyPrepare(&s) }()
	if wrapped := wrap(s, q.Text); wrapped != "" {
		b.DestroyPrepare(&s)
		if s, err = e.prepare(wrapped); err != nil {
			return queryEnd{}, err
		}
	}
	var pending b.PendingResult
	defer b.DestroyPending(&pending)
	if b.PendingPreparedStreaming(s, &pending) != b.StateSuccess {
		return queryEnd{}, engineError(b.PendingError(pending))
	}
	var r b.Result
	defer b.DestroyResult(&r)
	if b.ExecutePending(pending, &r) != b.StateSuccess {
		return queryEnd{}, engineError(b.ResultError(&r))
	}
	return newScan(&r, q).run(out)
}

// interruptAfter interrupts the running statement after d. The function it returns cancels that,
// and waits for an interrupt that is under way.
func (e *engine) interruptAfter(d time.Duration) func() {
	asked := make(chan struct{})
	clock := time.AfterFunc(d, func() {
		defer close(asked)
		b.Interrupt(e.conn)
	})
	return func() {
		if !clock.Stop() {
			<-asked
		}
	}
}

// wrote reports whether a table could be created; it is rolled back. True is also the answer if
// no transaction could be begun: then nothing is known.
func (e *engine) wrote() bool {
	if e.exec("BEGIN TRANSACTION READ ONLY") != nil {
		return true
	}
	defer func() { _ = e.exec("ROLLBACK") }()
	return e.exec(`CREATE TABLE "quaestor tries whether it can write" (a INTEGER)`) == nil
}

// build runs a trusted script on a new file.
func build(q request) error {
	e, err := openEngine(q.Open.File, q.Open, "READ_WRITE")
	if err != nil {
		return err
	}
	err = e.exec(q.Text)
	b.Disconnect(&e.conn)
	b.Close(&e.db)
	return err
}

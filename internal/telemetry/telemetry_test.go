package telemetry_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"quaestor/internal/telemetry"
)

// scrape returns what the handler serves.
func scrape(t *testing.T, m *telemetry.Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		t.Fatalf("status %d, type %q", w.Code, w.Header().Get("Content-Type"))
	}
	return w.Body.String()
}

func wantLines(t *testing.T, text string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains(text, "\n"+line+"\n") {
			t.Errorf("the line %q is missing; there are:\n%s", line, regexp.MustCompile(`(?m)^quaestor_.*`).FindAllString(text, -1))
		}
	}
}

func TestTurnsAreMeasured(t *testing.T) {
	t.Parallel()

	m := telemetry.NewMetrics("1.2.3")
	m.Turn(telemetry.Turn{Status: "done", Interviewer: "model", FirstPiece: 200 * time.Millisecond, Total: 2 * time.Second, Prompt: 1200, Completion: 80})
	m.Turn(telemetry.Turn{Status: "done", Interviewer: "model", FirstPiece: 300 * time.Millisecond, Total: 3 * time.Second, Prompt: 800, Completion: 20})
	m.Turn(telemetry.Turn{Status: "failed", Interviewer: "rules", Degraded: "model_unavailable", Total: time.Second})

	wantLines(t, scrape(t, m),
		`quaestor_build_info{version="1.2.3"} 1`,
		`quaestor_turns_total{degraded="",interviewer="model",status="done"} 2`,
		`quaestor_turns_total{degraded="model_unavailable",interviewer="rules",status="failed"} 1`,
		`quaestor_turn_seconds_sum{interviewer="model"} 5`,
		`quaestor_turn_seconds_bucket{interviewer="model",le="2.5"} 1`,
		`quaestor_turn_first_token_seconds_sum{interviewer="model"} 0.5`,
		`quaestor_model_tokens_total{direction="prompt"} 2000`,
		`quaestor_model_tokens_total{direction="completion"} 100`,
	)
}

func TestTurnWithoutAWordHasNoFirstToken(t *testing.T) {
	t.Parallel()

	m := telemetry.NewMetrics("dev")
	m.Turn(telemetry.Turn{Status: "failed", Interviewer: "rules", Total: time.Second})

	text := scrape(t, m)
	wantLines(t, text, `quaestor_turn_seconds_count{interviewer="rules"} 1`)
	if strings.Contains(text, "quaestor_turn_first_token_seconds_count") {
		t.Error("a first token was measured where there was none")
	}
}

func TestStreamsAreCounted(t *testing.T) {
	t.Parallel()

	m := telemetry.NewMetrics("dev")
	var open sync.WaitGroup
	closers := make(chan func(), 50)
	for range cap(closers) {
		open.Go(func() { closers <- m.StreamOpened() })
	}
	open.Wait()
	wantLines(t, scrape(t, m), fmt.Sprintf("quaestor_streams %d", cap(closers)))

	for range cap(closers) - 1 {
		(<-closers)()
	}

	wantLines(t, scrape(t, m), "quaestor_streams 1")
}

func TestMetricsOfTwoServersDoNotMix(t *testing.T) {
	t.Parallel()

	one, other := telemetry.NewMetrics("dev"), telemetry.NewMetrics("dev")
	one.Turn(telemetry.Turn{Status: "done", Interviewer: "rules"})

	if strings.Contains(scrape(t, other), "quaestor_turns_total{") {
		t.Error("a turn of one server is counted by another")
	}
}

func TestMetricsAreNamedAndExplained(t *testing.T) {
	t.Parallel()

	m := telemetry.NewMetrics("dev")
	m.Turn(telemetry.Turn{Status: "done", Interviewer: "rules", FirstPiece: 1, Total: 1})
	text := scrape(t, m)

	names := regexp.MustCompile(`(?m)^# TYPE (quaestor_\w+) (\w+)$`).FindAllStringSubmatch(text, -1)
	if len(names) != 6 {
		t.Errorf("%d instruments, want 6", len(names))
	}
	for _, n := range names {
		if !strings.Contains(text, "# HELP "+n[1]+" ") {
			t.Errorf("%s is not explained", n[1])
		}
		if n[2] == "counter" && !strings.HasSuffix(n[1], "_total") || n[2] == "histogram" && !strings.HasSuffix(n[1], "_seconds") {
			t.Errorf("the %s %s does not say its unit", n[2], n[1])
		}
	}
}

func TestLoggerWritesJSONWhereNobodyWatches(t *testing.T) {
	t.Parallel()

	path := filepath.Join(t.TempDir(), "log")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var buffer bytes.Buffer
	telemetry.NewLogger(&buffer, slog.LevelWarn).Info("below the level")
	telemetry.NewLogger(&buffer, slog.LevelWarn).Warn("turn failed", "turn", 3)
	telemetry.NewLogger(file, slog.LevelInfo).Info("turn done", "turn", 3)
	written, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}

	for want, line := range map[string][]byte{"turn failed": buffer.Bytes(), "turn done": written} {
		var got struct {
			Msg  string
			Turn int
		}
		if err := json.Unmarshal(line, &got); err != nil || got.Msg != want || got.Turn != 3 {
			t.Errorf("the log is %s, %v, want one JSON line %q of turn 3", line, err, want)
		}
	}
}

func TestLoggerTakesADeviceForATerminal(t *testing.T) {
	t.Parallel()

	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = null.Close() }()

	log := telemetry.NewLogger(null, slog.LevelError)

	if _, plain := log.Handler().(*slog.JSONHandler); plain || log.Enabled(t.Context(), slog.LevelWarn) {
		t.Errorf("the handler is a %T, warnings on: %t; want colours and errors only", log.Handler(), log.Enabled(t.Context(), slog.LevelWarn))
	}
}

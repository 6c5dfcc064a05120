// Package telemetry holds the metrics of turns, on a registry of their own, and the
// logger. It knows no domain.
package telemetry

import (
	"io"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/lmittmann/tint"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics are the program's metrics. They are safe for concurrent use.
type Metrics struct {
	registry   *prometheus.Registry
	turns      *prometheus.CounterVec
	seconds    *prometheus.HistogramVec
	firstPiece *prometheus.HistogramVec
	tokens     *prometheus.CounterVec
	streams    prometheus.Gauge
}

// NewMetrics returns metrics on a registry of their own, labelled with the version.
func NewMetrics(version string) *Metrics {
	// From 1 ms, since the rules answer in a few, to the longest that a turn may take.
	buckets := []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 90}
	m := &Metrics{
		registry:   prometheus.NewRegistry(),
		turns:      prometheus.NewCounterVec(prometheus.CounterOpts{Name: "quaestor_turns_total", Help: "Turns by how they ended and who answered."}, []string{"status", "interviewer", "degraded"}),
		seconds:    prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "quaestor_turn_seconds", Help: "From the start of a turn to its end.", Buckets: buckets}, []string{"interviewer"}),
		firstPiece: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "quaestor_turn_first_token_seconds", Help: "From the start of a turn to the first piece of the reply.", Buckets: buckets}, []string{"interviewer"}),
		tokens:     prometheus.NewCounterVec(prometheus.CounterOpts{Name: "quaestor_model_tokens_total", Help: "Tokens given to and taken from the model."}, []string{"direction"}),
		streams:    prometheus.NewGauge(prometheus.GaugeOpts{Name: "quaestor_streams", Help: "Streams that are open."}),
	}
	build := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "quaestor_build_info", Help: "1, labelled with the version."}, []string{"version"})
	build.WithLabelValues(version).Set(1)
	m.registry.MustRegister(m.turns, m.seconds, m.firstPiece, m.tokens, m.streams, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Turn is what is measured of a turn.
type Turn struct {
	Status      string
	Interviewer string // "rules" or "model": few values, for it is a label
	Degraded    string
	FirstPiece  time.Duration // zero if there was no reply
	Total       time.Duration
	Prompt      int // tokens
	Completion  int // tokens
}

// Turn records a turn that has ended.
func (m *Metrics) Turn(t Turn) {
	m.turns.WithLabelValues(t.Status, t.Interviewer, t.Degraded).Inc()
	m.seconds.WithLabelValues(t.Interviewer).Observe(t.Total.Seconds())
	if t.FirstPiece > 0 {
		m.firstPiece.WithLabelValues(t.Interviewer).Observe(t.FirstPiece.Seconds())
	}
	m.tokens.WithLabelValues("prompt").Add(float64(t.Prompt))
	m.tokens.WithLabelValues("completion").Add(float64(t.Completion))
}

// CallsDropped adds a counter whose value is what read returns: how many calls of the
// model were not recorded. It may be called once.
func (m *Metrics) CallsDropped(read func() int64) {
	m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "quaestor_calls_dropped_total", Help: "Calls of the model that were not kept for reviewers."},
		func() float64 { return float64(read()) }))
}

// StreamOpened counts an open stream. The caller calls closed when the stream ends.
func (m *Metrics) StreamOpened() (closed func()) {
	m.streams.Inc()
	return m.streams.Dec
}

// Handler serves the metrics in Prometheus' text format.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// NewLogger returns a logger of the given level that writes to w: in colours when w is
// a terminal, else as JSON lines.
func NewLogger(w io.Writer, level slog.Level) *slog.Logger {
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return slog.New(tint.NewTextHandler(w, &tint.Options{Level: level, TimeFormat: time.TimeOnly}))
		}
	}
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level}))
}

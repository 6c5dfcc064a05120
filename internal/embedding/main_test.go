package embedding

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"quaestor/internal/postgres/cluster"
	"quaestor/internal/prerequisite"
)

// TestMain sees to the weights first: an example has no way to, nor can it be
// skipped from within.
func TestMain(m *testing.M) {
	if prerequisite.LeftOut(prerequisite.Encoder) {
		flag.Parse()
		_ = flag.Set("test.skip", "^Example")
	} else {
		_, _ = provisioned()
	}
	goleak.VerifyTestMain(m)
}

// provisioned puts the weights where make provision does, unless they are there.
var provisioned = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(cluster.SharedDir(), "encoder")
	if Check(dir) == nil {
		return dir, nil
	}
	out, err := exec.Command("bash", "provision.sh", dir).CombinedOutput()
	if err != nil {
		return dir, err
	}
	_, _ = os.Stderr.Write(out)
	return dir, Check(dir)
})

// weights returns the folder of the weights. Without them the test fails.
func weights(t testing.TB) string {
	t.Helper()
	prerequisite.Need(t, prerequisite.Encoder)
	dir, err := provisioned()
	if err != nil {
		t.Fatal(prerequisite.Missing(prerequisite.Encoder, err))
	}
	return dir
}

// shared is one encoder for all tests that do not test loading.
var shared = sync.OnceValue(func() *Lite {
	dir, _ := provisioned()
	return NewLite(dir)
})

// lite returns an encoder that is loaded.
func lite(t testing.TB) *Lite {
	t.Helper()
	weights(t)
	if err := shared().Load(t.Context()); err != nil {
		t.Fatalf("Load: %v", err)
	}
	return shared()
}

// soon is a context that ends before the test run would.
func soon(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// golden is what the original implementation made; see testdata/golden.mjs.
type golden struct {
	Vectors []struct {
		Text   string    `json:"text"`
		Vector []float32 `json:"vector"`
	} `json:"vectors"`
	Tokens []struct {
		Text string  `json:"text"`
		IDs  []int32 `json:"ids"`
	} `json:"tokens"`
}

func readGolden(t testing.TB) golden {
	t.Helper()
	raw, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var g golden
	if err := json.Unmarshal(raw, &g); err != nil {
		t.Fatalf("testdata/golden.json: %v", err)
	}
	if len(g.Vectors) < 5 || len(g.Tokens) < 30 {
		t.Fatalf("testdata/golden.json has %d vectors and %d token lists", len(g.Vectors), len(g.Tokens))
	}
	return g
}

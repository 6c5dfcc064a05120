package main

import (
	"context"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"quaestor/internal/llm/llmtest"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/analyst"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/runs"
	"quaestor/research/warehouse/wire"
)

// TestModelServerRefuses has runs meet a model server that refuses: the key, the model, and requests for
// a while. Those that cannot be cured fail at once with what helps; the last is waited for.
func TestModelServerRefuses(t *testing.T) {
	for _, tt := range []struct {
		name   string
		reply  llmtest.Reply
		want   runs.Trouble
		remedy string
	}{
		{"a bad key", llmtest.Status(http.StatusUnauthorized, 0), runs.ModelKey, "valid key"},
		{"no such model", llmtest.Status(http.StatusNotFound, 0), runs.ModelUnknown, "Choose a model"},
		{"for a while", llmtest.Status(http.StatusTooManyRequests, 30*time.Minute), "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newMart(t, small...)
			model := llmtest.New(t)
			model.Handle(func(llmtest.Request) llmtest.Reply { return tt.reply })
			o := newRemoteServer(t, Settings{Model: "clerk", ModelURL: model.URL(), ModelWindow: analyst.DefaultWindow}, nil)
			t.Cleanup(model.Close)
			_, project := o.connect(m.draft())
			id := o.begin(project, 10)
			if tt.want == "" {
				r := o.waiting(id)
				if r.Status != runs.Pending || !strings.HasPrefix(r.Detail, "The model takes no more requests for now. The run goes on at ") || r.Counters.Steps != 0 {
					t.Errorf("%+v", r)
				}
				return
			}
			r := untilOver(t, o.explorer, o.tenant, id)
			if r.Status != runs.Failed || r.Trouble != tt.want || !strings.Contains(r.Failure, "clerk") || !strings.Contains(r.Remedy, tt.remedy) || r.Attempt != 1 || r.Counters.Steps != 0 {
				t.Errorf("%+v", r)
			}
			if n := len(model.Requests()); n != 1 {
				t.Errorf("the model was asked %d times", n)
			}
		})
	}
}

// waiting returns a run once it tells that it waits for its model.
func (o *remoteServer) waiting(id string) runs.Run {
	o.t.Helper()
	ctx, cancel := context.WithTimeout(o.t.Context(), time.Minute)
	defer cancel()
	sub := o.explorer.hub.Subscribe(o.tenant, id, 0)
	defer sub.Close()
	for {
		events, err := sub.Next(ctx, time.Second)
		if err != nil {
			o.t.Fatal(err)
		}
		for _, e := range events {
			if e.Kind == runs.EventQueued && strings.Contains(string(e.Data), "takes no more requests") {
				r, err := runs.Find(ctx, o.pool, o.tenant, id)
				if err != nil {
					o.t.Fatal(err)
				}
				return r
			}
		}
	}
}

// TestWarehousesThatNeverAnswer has runs over servers that accept connections and say nothing. Each make
// gives up in its time, the run is tried three times, and fails with what helps.
func TestWarehousesThatNeverAnswer(t *testing.T) {
	o := newRemoteServer(t, Settings{}, script{lines: asking("SELECT 1")})
	begun := map[warehouse.Kind]string{}
	for _, kind := range []warehouse.Kind{warehouse.PostgreSQL, warehouse.MySQL, warehouse.ClickHouse, warehouse.SQLServer} {
		host, port := silent(t)
		w, err := o.explorer.store.Create(t.Context(), o.tenant, "someone", connections.Spec{Name: string(kind), Kind: kind,
			Options: map[string]string{wire.Host: host, wire.Port: port, wire.Database: "shop", wire.User: "reader", wire.Security: "disable"}})
		if err != nil {
			t.Fatal(err)
		}
		p, err := o.explorer.projects.Create(t.Context(), o.tenant, "someone", projects.Spec{Name: string(kind), Warehouse: w.ID}, "")
		if err != nil {
			t.Fatal(err)
		}
		begun[kind] = o.begin(p.ID, 10)
	}
	for kind, id := range begun {
		t.Run(string(kind), func(t *testing.T) {
			r := untilOver(t, o.explorer, o.tenant, id)
			if r.Status != runs.Failed || r.Trouble != runs.WarehouseSilent || !strings.Contains(r.Failure, "did not answer in time") || r.Remedy == "" || r.Attempt != 3 {
				t.Errorf("%+v", r)
			}
		})
	}
}

// silent is the address of a server that accepts connections and says nothing.
func silent(t *testing.T) (host, port string) {
	t.Helper()
	var all sync.WaitGroup
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var conns []net.Conn
	all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			conns = append(conns, c)
			mu.Unlock()
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		all.Wait()
		mu.Lock()
		defer mu.Unlock()
		for _, c := range conns {
			_ = c.Close()
		}
	})
	host, port, _ = net.SplitHostPort(l.Addr().String())
	return host, port
}

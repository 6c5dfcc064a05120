// Dev serves Quaestor from the working tree at http://127.0.0.1:8080 and keeps it up
// to date: when a source changes, it builds, restarts the server and reloads open pages.
// A build that fails leaves the old server running.
//
// It is a proxy between browser and server that adds one script to each page, so the
// program itself does not know about it. Run it with make dev.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	address = "127.0.0.1:8080"
	look    = 500 * time.Millisecond // between two scans of the sources
	drain   = 10 * time.Second       // for a server to end before it is killed
)

func main() {
	log.SetFlags(log.Ltime)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

// run builds, serves and watches the tree at root until ctx ends.
func run(ctx context.Context, root string) error {
	upstream, err := freeAddress()
	if err != nil {
		return err
	}
	d := &dev{root: root, upstream: upstream, changed: make(chan struct{})}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: d.handler(), ReadHeaderTimeout: time.Minute}
	go server.Serve(listener) //nolint:errcheck // ends with Close
	defer server.Close()      //nolint:errcheck // the program ends
	defer d.end()
	log.Printf("pages at http://%s reload when a source changes; stop with Ctrl-C", address)
	var seen time.Time
	for {
		if newest := d.newest(); newest.After(seen) {
			seen = newest
			d.renew(ctx)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(look):
		}
	}
}

// dev is a server that is built and started again and again.
type dev struct {
	root     string
	upstream string // address of the server

	mu      sync.Mutex
	server  *exec.Cmd     // nil when none runs; guarded by mu
	changed chan struct{} // closed when a new server has started; guarded by mu
}

// freeAddress returns a loopback address on which nothing listens.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// newest returns when a source was last changed, generated code aside.
func (d *dev) newest() time.Time {
	var newest time.Time
	_ = filepath.WalkDir(d.root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // a file that has just gone
		case e.IsDir() && (e.Name() == ".git" || e.Name() == "node_modules" || e.Name() == "bin" || e.Name() == "browser_test"):
			return filepath.SkipDir
		case e.IsDir(), strings.HasSuffix(path, "_templ.go"), strings.HasSuffix(path, "_test.go"):
			return nil
		}
		if info, err := e.Info(); err == nil && info.ModTime().After(newest) {
			newest = info.ModTime()
		}
		return nil
	})
	return newest
}

// renew builds the program, templates first, and replaces the running server by it.
func (d *dev) renew(ctx context.Context) {
	log.Print("building …")
	for _, args := range [][]string{{"templates"}, {"compile"}} {
		build := exec.CommandContext(ctx, "make", append([]string{"--no-print-directory", "-s"}, args...)...)
		build.Dir, build.Stdout, build.Stderr = d.root, os.Stderr, os.Stderr
		if err := build.Run(); err != nil {
			log.Printf("make %s: %v; the old server keeps running", args[0], err)
			return
		}
	}
	d.end()
	server := exec.Command("./bin/quaestor", "serve", "--addr", d.upstream)
	server.Dir, server.Stdout, server.Stderr = d.root, os.Stdout, os.Stderr
	server.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C reaches this program only, which ends the server in good order
	if err := server.Start(); err != nil {
		log.Print(err)
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.server = server
	close(d.changed)
	d.changed = make(chan struct{})
}

// end stops the server that runs, if there is one.
func (d *dev) end() {
	d.mu.Lock()
	server := d.server
	d.server = nil
	d.mu.Unlock()
	if server == nil {
		return
	}
	_ = server.Process.Signal(syscall.SIGTERM)
	kill := time.AfterFunc(drain, func() { _ = server.Process.Kill() })
	defer kill.Stop()
	_ = server.Wait()
}

// reloader reloads a page when the server was restarted.
const reloader = `new EventSource("/-/changes").addEventListener("changed", () => location.reload());`

// handler passes requests on without the headers of a proxy: in development the server
// refuses requests that have them.
func (d *dev) handler() http.Handler {
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: "http", Host: d.upstream})
			r.Out.Header.Del("Accept-Encoding") // the script is added to uncompressed pages
		},
		ModifyResponse: addReloader,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(http.StatusBadGateway)
			fmt.Fprintf(w, "<p>Quaestor is starting …</p><script src=/-/changes.js></script><!-- %v -->", err)
		},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/-/changes", d.tell)
	mux.HandleFunc("/-/changes.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = io.WriteString(w, reloader)
	})
	mux.Handle("/", proxy)
	return mux
}

// addReloader adds the script to a page.
func addReloader(r *http.Response) error {
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") {
		return nil
	}
	body, err := io.ReadAll(r.Body)
	if err := errors.Join(err, r.Body.Close()); err != nil {
		return err
	}
	body = bytes.Replace(body, []byte("</body>"), []byte(`<script src="/-/changes.js"></script></body>`), 1)
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.Header.Set("Content-Length", strconv.Itoa(len(body)))
	return nil
}

// tell waits until the next server answers, and then tells a page to reload.
func (d *dev) tell(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	_ = http.NewResponseController(w).Flush()
	d.mu.Lock()
	changed := d.changed
	d.mu.Unlock()
	select {
	case <-r.Context().Done():
		return
	case <-changed:
	}
	for r.Context().Err() == nil {
		answer, err := http.Get("http://" + d.upstream + "/readyz")
		if err == nil {
			_ = answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				fmt.Fprint(w, "event: changed\ndata: \n\n")
				return
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
}

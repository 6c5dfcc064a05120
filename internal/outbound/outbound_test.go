package outbound

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// hostile are addresses that lead, or try to lead, to where only this machine and
// its neighbours may go. Names the resolver of a C library would take for an
// address are answered as it would.
var hostile = []struct{ url, names string }{
	{"http://127.0.0.1/", ""}, {"http://127.0.0.1:8080/", ""}, {"https://127.0.0.1/", ""}, {"http://127.127.127.127/", ""},
	{"http://2130706433/", "127.0.0.1"}, {"http://3232235521/", "192.168.0.1"}, {"http://2852039166/", "169.254.169.254"},
	{"http://0177.0.0.1/", "127.0.0.1"}, {"http://017700000001/", "127.0.0.1"}, {"http://0x7f000001/", "127.0.0.1"},
	{"http://0x7f.0x0.0x0.0x1/", "127.0.0.1"}, {"http://0x7f.1/", "127.0.0.1"}, {"http://127.1/", "127.0.0.1"}, {"http://127.0.1/", "127.0.0.1"},
	{"http://0/", "0.0.0.0"}, {"http://0.0.0.0/", ""}, {"http://0.0.0.0:443/", ""}, {"http://00000.0.0.0/", "0.0.0.0"},
	{"http://[::1]/", ""}, {"http://[::]/", ""}, {"http://[0:0:0:0:0:0:0:1]/", ""},
	{"http://[::ffff:127.0.0.1]/", ""}, {"http://[::ffff:7f00:1]/", ""}, {"http://[::ffff:10.0.0.1]/", ""}, {"http://[::ffff:169.254.169.254]/", ""},
	{"http://[::127.0.0.1]/", ""}, {"http://[64:ff9b::7f00:1]/", ""}, {"http://[64:ff9b::a9fe:a9fe]/", ""}, {"http://[64:ff9b:1::a00:1]/", ""},
	{"http://[2002:7f00:1::]/", ""}, {"http://[2002:a9fe:a9fe::1]/", ""}, {"http://[2001:0:4136:e378:8000:63bf:807f:fffe]/", ""},
	{"http://[fe80::1]/", ""}, {"http://[fe80::1%25lo]/", ""}, {"http://[fc00::1]/", ""}, {"http://[fd00:ec2::254]/", ""}, {"http://[fec0::1]/", ""}, {"http://[ff02::1]/", ""}, {"http://[2001:db8::1]/", ""},
	{"http://10.0.0.1/", ""}, {"http://10.255.255.255/", ""}, {"http://172.16.0.1/", ""}, {"http://172.31.255.255/", ""}, {"http://192.168.1.1/", ""},
	{"http://100.64.0.1/", ""}, {"http://169.254.169.254/latest/meta-data/", ""}, {"http://169.254.170.2/v2/credentials", ""}, {"http://100.100.100.200/", ""},
	{"http://192.0.0.192/", ""}, {"http://192.0.2.1/", ""}, {"http://198.18.0.1/", ""}, {"http://224.0.0.1/", ""}, {"http://255.255.255.255/", ""}, {"http://240.0.0.1/", ""},
	{"http://localhost/", "127.0.0.1"}, {"http://localhost:22/", "127.0.0.1"}, {"http://LOCALHOST/", "127.0.0.1"}, {"http://localhost./", "127.0.0.1"},
	{"http://app.localhost/", "127.0.0.1"}, {"http://localtest.example/", "127.0.0.1"}, {"http://ip6-localhost/", "::1"},
	{"http://metadata.google.internal/computeMetadata/v1/", "169.254.169.254"}, {"http://metadata/", "169.254.169.254"}, {"http://intranet.example/", "10.1.2.3"}, {"http://127.0.0.1.nip.example/", "127.0.0.1"},
	{"http://①②⑦.⓪.⓪.①/", "127.0.0.1"}, {"http://ⓛocalhost/", "127.0.0.1"},
	{"http://93.184.215.14:22/", ""}, {"http://93.184.215.14:6379/", ""}, {"https://93.184.215.14:8443/", ""}, {"http://public.example:25/", "93.184.215.14"},
	{"http://user:secret@93.184.215.14/", ""}, {"http://user@93.184.215.14/", ""}, {"http://93.184.215.14@127.0.0.1/", ""}, {"http://:@93.184.215.14/", ""},
	{"file:///etc/passwd", ""}, {"file://93.184.215.14/etc/passwd", ""}, {"gopher://93.184.215.14:80/_GET", ""}, {"ftp://93.184.215.14/", ""}, {"dict://93.184.215.14:80/", ""},
	{"ldap://93.184.215.14/", ""}, {"unix:///run/postgresql/.s.PGSQL.5432", ""}, {"ws://93.184.215.14/", ""}, {"jar:http://93.184.215.14/!/", ""}, {"data:text/html,hello", ""}, {"javascript:alert(1)", ""},
	{"http:///path", ""}, {"//93.184.215.14/", ""}, {"http://:80/", ""},
}

func TestHostileAddressesAreNeverConnectedTo(t *testing.T) {
	t.Parallel()

	if len(hostile) < 60 {
		t.Fatalf("%d addresses, want 60 at least", len(hostile))
	}
	for _, tt := range hostile {
		c, seen := recorded(t, Options{}, func(string) string { return tt.names }, false)

		r, err := c.Get(tt.url)

		if err == nil {
			_ = r.Body.Close()
			t.Errorf("Get(%s) was answered", tt.url)
		}
		if got := seen.addresses(); len(got) != 0 {
			t.Errorf("Get(%s) dialled %v, want nothing", tt.url, got)
		}
	}
}

func TestARefusalSaysWhatAndWhy(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		url, names, host string
		want             error
	}{
		{"http://10.0.0.1/", "", "10.0.0.1:80", ErrPrivate},
		{"http://intranet.example/", "10.1.2.3", "10.1.2.3:80", ErrPrivate},
		{"http://[::ffff:10.0.0.1]/", "", "10.0.0.1:80", ErrPrivate},
		{"http://10.0.0.1:8080/", "", "10.0.0.1:8080", ErrPrivate},
		{"http://93.184.215.14:22/", "", "93.184.215.14:22", ErrPort},
		{"ftp://example.org/", "", "example.org", ErrScheme},
		{"http://me@example.org/", "", "example.org", ErrUserinfo},
	} {
		c, _ := recorded(t, Options{}, func(string) string { return tt.names }, false)

		_, err := c.Get(tt.url)

		var refused *RefusedError
		if !errors.Is(err, tt.want) || !errors.As(err, &refused) || refused.Host != tt.host {
			t.Errorf("Get(%s) = %v (%+v), want %v of %s", tt.url, err, refused, tt.want, tt.host)
		}
	}
}

func TestPublicAddressesPass(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ url, names, want string }{
		{"http://93.184.215.14/", "", "93.184.215.14:80"},
		{"https://public.example/", "93.184.215.14", "93.184.215.14:443"},
		{"https://[2606:2800:21f::1]/", "", "[2606:2800:21f::1]:443"},
		{"http://six.example/", "2606:2800:21f::1", "[2606:2800:21f::1]:80"},
	} {
		c, seen := recorded(t, Options{}, func(string) string { return tt.names }, false)

		_, err := c.Get(tt.url)

		if got := seen.addresses(); !errors.Is(err, errStopped) || len(got) == 0 || got[0] != tt.want {
			t.Errorf("Get(%s) dialled %v (%v), want %s", tt.url, got, err, tt.want)
		}
	}
}

func TestOnlyWhatIsAllowedIsReachedInPrivate(t *testing.T) {
	t.Parallel()

	at := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("hello")) })
	for _, tt := range []struct {
		name  string
		allow []netip.Prefix
		want  bool
	}{
		{"nothing", nil, false},
		{"another network", []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}, false},
		{"the loopback, on a port of its own", loopback, true},
	} {
		c := NewClient(Options{Allow: tt.allow})
		t.Cleanup(c.CloseIdleConnections)

		r, err := c.Get(at.String())

		if (err == nil) != tt.want {
			t.Errorf("%s: Get = %v, want an answer: %v", tt.name, err, tt.want)
		}
		if err == nil {
			_ = r.Body.Close()
		}
	}
}

func TestARedirectIsCheckedLikeARequest(t *testing.T) {
	t.Parallel()

	for to, want := range map[string]error{
		"http://127.0.0.2/":            ErrPrivate,
		"http://10.0.0.1:80/":          ErrPrivate,
		"http://169.254.169.254/":      ErrPrivate,
		"http://[::1]/":                ErrPrivate,
		"http://inside.example/":       ErrPrivate,
		"http://93.184.215.14:22/":     ErrPort,
		"file:///etc/passwd":           ErrScheme,
		"gopher://127.0.0.1/":          ErrScheme,
		"http://me:secret@127.0.0.1/":  ErrUserinfo,
		"//169.254.169.254/meta":       ErrPrivate,
		"http://[::ffff:192.168.0.1]/": ErrPrivate,
	} {
		at := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusFound)
		})
		c, seen := recorded(t, Options{Allow: loopback}, func(string) string { return "192.168.7.7" }, true)

		_, err := c.Get(at.String())

		if !errors.Is(err, want) {
			t.Errorf("redirect to %s: %v, want %v", to, err, want)
		}
		if got := seen.addresses(); len(got) != 1 || got[0] != at.Host {
			t.Errorf("redirect to %s: dialled %v, want %s alone", to, got, at.Host)
		}
	}
}

func TestANameThatMovesInsideIsRefusedTheSecondTime(t *testing.T) {
	t.Parallel()

	var moved atomic.Bool
	c, seen := recorded(t, Options{}, func(string) string {
		if moved.Load() {
			return "127.0.0.1"
		}
		return "93.184.215.14"
	}, false)

	_, first := c.Get("http://rebind.example/")
	moved.Store(true)
	_, second := c.Get("http://rebind.example/")

	if !errors.Is(first, errStopped) || !errors.Is(second, ErrPrivate) {
		t.Errorf("Get twice = %v, then %v; want the public address, then a refusal", first, second)
	}
	if got := seen.addresses(); len(got) != 1 || got[0] != "93.184.215.14:80" {
		t.Errorf("dialled %v, want the public address alone", got)
	}
}

func TestRedirectsEnd(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ max, want int }{{0, 6}, {2, 3}, {-1, 1}} {
		var asked atomic.Int64
		at := serve(t, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, fmt.Sprintf("/%d", asked.Add(1)), http.StatusFound)
		})
		c := NewClient(Options{Allow: loopback, MaxRedirects: tt.max})
		t.Cleanup(c.CloseIdleConnections)

		_, err := c.Get(at.String())

		if !errors.Is(err, ErrRedirects) || asked.Load() != int64(tt.want) {
			t.Errorf("MaxRedirects %d: %d requests and %v, want %d", tt.max, asked.Load(), err, tt.want)
		}
	}
}

func TestNothingOfOursIsSent(t *testing.T) {
	t.Parallel()

	got := make(chan http.Header, 2)
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got <- r.Header
		http.SetCookie(w, &http.Cookie{Name: "track", Value: "1"})
		if r.URL.Path == "/" {
			http.Redirect(w, r, "/next", http.StatusFound)
		}
	})
	c := NewClient(Options{Allow: loopback, UserAgent: "Quaestor/1.0"})
	t.Cleanup(c.CloseIdleConnections)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, at.String()+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer canary")
	r.Header.Set("Cookie", "session=canary")

	answer, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()

	for range 2 {
		h := <-got
		for name, values := range h {
			if strings.Contains(strings.Join(values, " "), "canary") || name == "Cookie" || name == "Referer" {
				t.Errorf("sent %s: %v", name, values)
			}
		}
		if h.Get("User-Agent") != "Quaestor/1.0" {
			t.Errorf("User-Agent = %q", h.Get("User-Agent"))
		}
	}
	if r.Header.Get("Authorization") == "" {
		t.Error("the caller's own request was changed")
	}
}

func TestAServerThatSaysNothingIsLeft(t *testing.T) {
	t.Parallel()

	done := make(chan struct{})
	at := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-done:
		case <-r.Context().Done():
		}
	})
	t.Cleanup(func() { close(done) })
	c := NewClient(Options{Allow: loopback, HeaderTimeout: 50 * time.Millisecond})
	t.Cleanup(c.CloseIdleConnections)

	_, err := c.Get(at.String())

	if err == nil || !strings.Contains(err.Error(), "timeout awaiting response headers") {
		t.Errorf("Get = %v, want a timeout", err)
	}
}

package outbound_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"quaestor/internal/outbound"
)

func TestTransportReachesOnlyWhatIsAllowed(t *testing.T) {
	t.Parallel()

	key := ""
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { key = r.Header.Get("Authorization") }))
	t.Cleanup(srv.Close)
	get := func(allow []netip.Prefix) error {
		transport := outbound.NewTransport(allow)
		defer transport.CloseIdleConnections()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer sesame")
		resp, err := (&http.Client{Transport: transport}).Do(r)
		if err == nil {
			_ = resp.Body.Close()
		}
		return err
	}

	var refused *outbound.RefusedError
	if err := get(nil); !errors.As(err, &refused) || !errors.Is(err, outbound.ErrPrivate) || key != "" {
		t.Errorf("this machine is reached: %v, key %q", err, key)
	}
	if err := get([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}); err != nil || key != "Bearer sesame" {
		t.Errorf("what is allowed is not reached: %v, key %q", err, key)
	}
}

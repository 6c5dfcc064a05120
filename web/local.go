package web

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"quaestor/internal/fault"
)

// Without tokens whoever is at this machine acts as the owner. That holds for what
// comes from this machine, to a name of this machine, and was passed on by nobody.
// Nothing else is served in development but the pages' files and health.

// atThisMachine refuses, in development, what does not come from this machine.
func (s *Server) atThisMachine(next http.Handler) http.Handler {
	if s.Develop == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if why := notLocal(r); why != "" && !harmless(r.URL.Path) {
			s.problem(w, r, fault.New(fault.Forbidden, "this server runs in development, where whoever is at its machine is the owner, and it answers that machine alone; this request %s. "+
				"To let others in, start it with QUAESTOR_AUTH=tokens and make them tokens with: quaestor token create", why).Coded("development_only"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// harmless reports whether a path shows nothing of anybody: probes ask it under any
// name.
func harmless(path string) bool {
	return slices.Contains([]string{"/livez", "/healthz", "/readyz"}, path) || strings.HasPrefix(path, "/static/")
}

// local refuses what does not come from this machine.
func (s *Server) local(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if notLocal(r) != "" {
			s.problem(w, r, fault.New(fault.Forbidden, "metrics are served on loopback only"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// notLocal says why a request is not one from this machine to a name of this machine:
// a page elsewhere whose name was pointed here, or what a proxy passes on. It is empty
// for one that is.
func notLocal(r *http.Request) string {
	addr, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !addr.Addr().Unmap().IsLoopback() {
		return "comes from another machine"
	}
	for name := range r.Header {
		if passedOn(name) {
			return "was passed on by a proxy, as its header " + name + " tells"
		}
	}
	if !loopbackName(r.Host) {
		return "is for a name that is not of this machine"
	}
	return ""
}

// loopbackName reports whether host, with a port or without, always means this
// machine.
func loopbackName(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(host)
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && ip.IsLoopback()
}

// Headers that proxies, load balancers and tunnels add, and that browsers and command
// lines at this machine do not send. Names are in canonical form.
var (
	proxyHeaders = []string{"Via", "Forwarded", "Client-Ip", "True-Client-Ip", "Wl-Proxy-Client-Ip", "Proxy-Client-Ip", "Cdn-Loop", "X-Real-Ip", "X-Client-Ip",
		"X-Cluster-Client-Ip", "X-Proxyuser-Ip", "X-Remote-Addr", "X-Remote-Ip", "X-Remote-User", "Remote-User", "X-Host", "X-Scheme", "X-Rewrite-Url", "X-Varnish", "X-Nginx-Proxy",
		"X-Cloud-Trace-Context", "X-Github-Token", "X-Request-Start", "X-Haproxy-Server-State", "X-Sendfile-Type", "X-Accel-Internal", "Front-End-Https"}
	proxyPrefixes = []string{"X-Forwarded", "Cf-", "X-Envoy-", "Fly-", "Tailscale-", "Ngrok-", "Fastly-", "X-Original-", "X-Vercel-", "X-Amz-Cf-", "X-Amzn-", "X-Appengine-",
		"X-Azure-", "X-Arr-", "X-Akamai-", "Akamai-", "X-Auth-Request-", "X-Tunnel-", "X-Ms-Client-Principal", "X-Goog-", "X-Iap-", "X-Cloudflare-", "X-Render-", "X-Railway-", "X-Nf-"}
)

// passedOn reports whether a header of that name tells of a proxy. Its value does not
// matter.
func passedOn(name string) bool {
	return slices.Contains(proxyHeaders, name) || slices.ContainsFunc(proxyPrefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

package search

import (
	"net/url"
	"strings"
)

// maxAddress bounds an address in bytes.
const maxAddress = 2000

// tracking are parameters that say who sent a reader, and nothing about the page.
var tracking = map[string]bool{
	"gclid": true, "gclsrc": true, "gbraid": true, "wbraid": true, "dclid": true, "fbclid": true, "msclkid": true, "yclid": true, "twclid": true,
	"ttclid": true, "igshid": true, "mc_cid": true, "mc_eid": true, "_hsenc": true, "_hsmi": true, "mkt_tok": true, "vero_id": true,
	"srsltid": true, "ref_src": true, "oly_anon_id": true, "oly_enc_id": true, "s_cid": true, "wickedid": true,
}

// normal returns an address in the one spelling we use: host in small letters,
// without fragment, usual port, tracking parameters or the rest's order changed.
// It is empty for what we do not open: other schemes, addresses with a user name,
// without a host or too long.
func normal(s string) string {
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil || len(s) > maxAddress || u.User != nil || u.Opaque != "" {
		return ""
	}
	u.Host = strings.TrimSuffix(strings.ToLower(u.Host), ":")
	switch u.Scheme {
	case "http":
		u.Host = strings.TrimSuffix(u.Host, ":80")
	case "https":
		u.Host = strings.TrimSuffix(u.Host, ":443")
	default:
		return ""
	}
	if u.Hostname() == "" || line(u.Host) != u.Host {
		return ""
	}
	if u.Path == "" {
		u.Path = "/"
	}
	u.Fragment, u.RawFragment = "", ""
	u.RawQuery, u.ForceQuery = untracked(u.RawQuery), false
	out := u.String()
	if len(out) > maxAddress {
		return ""
	}
	return out
}

// untracked returns a query without tracking parameters, the others as they were.
func untracked(query string) string {
	var kept []string
	for _, pair := range strings.Split(query, "&") {
		name, _, _ := strings.Cut(pair, "=")
		name = strings.ToLower(name)
		if pair != "" && !tracking[name] && !strings.HasPrefix(name, "utm_") {
			kept = append(kept, pair)
		}
	}
	return strings.Join(kept, "&")
}

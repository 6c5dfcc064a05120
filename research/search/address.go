package search

import (
	"net/url"
	"strings"
)

// maxAddress is the longest address that is kept, in bytes.
const maxAddress = 2000

// tracking are the query parameters that identify where a reader comes from, and do
// not affect the page.
var tracking = map[string]bool{
	"gclid": true, "gclsrc": true, "gbraid": true, "wbraid": true, "dclid": true, "fbclid": true, "msclkid": true, "yclid": true, "twclid": true,
	"ttclid": true, "igshid": true, "mc_cid": true, "mc_eid": true, "_hsenc": true, "_hsmi": true, "mkt_tok": true, "vero_id": true,
	"srsltid": true, "ref_src": true, "oly_anon_id": true, "oly_enc_id": true, "s_cid": true, "wickedid": true,
}

// normal returns an address in normal form: the host in lower case, without
// fragment, default port and tracking parameters; other parameters keep their
// order. It returns "" for addresses that are not opened: those with another
// scheme, a user name, no host, or too many bytes.
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

// untracked returns a query string without tracking parameters, otherwise unchanged.
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

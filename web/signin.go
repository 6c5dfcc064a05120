package web

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/go-chi/chi/v5"

	"quaestor/internal/auth"
)

// tokenCookie keeps the token of who signed in with a browser, until that is closed.
// It is what a bearer sends in a header, and ends when the token does.
const tokenCookie = "quaestor_token"

const signInPath = "/sign-in"

// signInPages are where browsers sign in and out: where tokens are asked for, and
// without one, for who has none yet.
func (s *Server) signInPages(r chi.Router) {
	if s.Develop != nil {
		return
	}
	r.Post(signInPath, s.Handle(s.signIn))
	r.Post("/sign-out", s.Handle(s.signOut))
}

// signIn keeps a token that works in a cookie, and leads to the page that was asked
// for.
func (s *Server) signIn(w http.ResponseWriter, r *http.Request) error {
	if err := ReadForm(w, r); err != nil {
		return err
	}
	token := strings.TrimSpace(r.PostFormValue("token"))
	if _, err := auth.Authenticate(r.Context(), s.Pool, token); err != nil {
		return err
	}
	http.SetCookie(w, sealedCookie(r, tokenCookie, token, http.SameSiteStrictMode))
	return SeeOther(w, r, localPath(r.PostFormValue("next")))
}

// signOut forgets the token in this browser. The token itself works on.
func (s *Server) signOut(w http.ResponseWriter, r *http.Request) error {
	dropToken(w, r)
	return SeeOther(w, r, "/")
}

// SignedIn returns what a browser signed in with; none where nobody needs to.
func (s *Server) SignedIn(r *http.Request) credential {
	cookie, err := r.Cookie(tokenCookie)
	if err != nil || s.Develop != nil {
		return credential{}
	}
	return credential{Token: cookie.Value, browser: true}
}

// dropToken takes the token away from a browser that brought one.
func dropToken(w http.ResponseWriter, r *http.Request) {
	if _, err := r.Cookie(tokenCookie); err != nil {
		return
	}
	gone := sealedCookie(r, tokenCookie, "", http.SameSiteStrictMode)
	gone.MaxAge = -1
	http.SetCookie(w, gone)
}

// sealedCookie is a cookie for this server alone, which no script reads: it ends with
// the browser.
func sealedCookie(r *http.Request, name, value string, from http.SameSite) *http.Cookie {
	return &http.Cookie{Name: name, Value: value, Path: "/", HttpOnly: true, SameSite: from,
		Secure: r.TLS != nil || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https")}
}

// localPath returns an address on this server, the first page for any other.
func localPath(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "" || u.Host != "" || !strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") || strings.Contains(address, `\`) {
		return "/"
	}
	return address
}

// signInFor is the page for who came to an address without a token that works, or
// typed such a token.
func (s *Server) signInFor(r *http.Request, p *Problem) SignInView {
	v := SignInView{Form: s.Develop == nil, Next: "/"}
	switch {
	case r.URL.Path == signInPath:
		v.Wrong, v.Next = forPeople(p), localPath(r.PostFormValue("next"))
	case r.Method == http.MethodGet:
		v.Detail, v.Next = forPeople(p), r.URL.RequestURI()
		v.Elsewhere = v.Form && r.Header.Get("Sec-Fetch-Site") == "cross-site"
	default:
		v.Detail = forPeople(p)
	}
	return v
}

// forPeople says what a refusal means for who sits before a page: that of a program
// names a header and a command.
func forPeople(p *Problem) string {
	if p.Code == "token_unknown" {
		return "This token does not work here: it was mistyped, has ended, or was taken back. Check it, or ask whoever gave it to you for another."
	}
	return "This page is for people who are known here. Sign in with your token to go on."
}

package reader

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/url"

	"quaestor/internal/outbound"
)

var (
	errLong = errors.New("the read took its whole time")
	errSlow = errors.New("the body came too slowly")
)

// fail returns an *Error for the page being read.
func (e *fetch) fail(k Kind, detail string, cause error) *Error {
	return &Error{Kind: k, URL: e.asked, Detail: detail, cause: cause}
}

// outOfTime is the failure of a read whose caller gave up.
func outOfTime(name string, cause error) *Error {
	return &Error{Kind: Timeout, URL: name, Detail: "the reading was stopped before it ended", cause: cause}
}

// connError turns an error of the connection to a host into an *Error.
func (e *fetch) connError(ctx context.Context, u *url.URL, err error) *Error {
	var own *Error
	if errors.As(err, &own) {
		return own
	}
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errSlow):
		return e.fail(Timeout, u.Host+" sends the page too slowly", errSlow)
	case errors.Is(cause, errLong):
		return e.fail(Timeout, u.Host+" took too long", errLong)
	case cause != nil:
		return outOfTime(e.asked, cause)
	}
	var refused *outbound.RefusedError
	if errors.As(err, &refused) {
		return e.refused(u.Host, refused)
	}
	return e.unreached(u.Host, err)
}

// refused explains why the outbound policy forbade a request. It does not tell the address that the host's name
// leads to: whoever may name a host could ask so what the names of an internal network stand for.
func (e *fetch) refused(host string, r *outbound.RefusedError) *Error {
	if errors.Is(r, outbound.ErrPrivate) || errors.Is(r, outbound.ErrPort) {
		return e.fail(Private, "the address may not be reached: "+host+": "+r.Reason.Error(), r)
	}
	return e.fail(Redirect, "the host leads to what is not read: "+r.Reason.Error(), r)
}

// unreached explains why a response did not arrive or could not be used.
func (e *fetch) unreached(host string, err error) *Error {
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var timeout net.Error
	var corrupt flate.CorruptInputError
	switch {
	case errors.As(err, &timeout) && timeout.Timeout():
		return e.fail(Timeout, host+" did not answer in time", err)
	case errors.As(err, &dns) && dns.IsNotFound:
		return e.fail(Network, "there is no host named "+dns.Name, err)
	case errors.As(err, &certificate):
		return e.fail(Network, host+" cannot prove that it is who it says", err)
	case errors.As(err, &corrupt), errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum):
		return e.fail(NotText, "the page cannot be unpacked", err)
	}
	return e.fail(Network, "the connection to "+host+" failed", err)
}

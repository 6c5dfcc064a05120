package wire

import (
	"crypto/tls"
	"crypto/x509"
	"errors"

	"quaestor/internal/fault"
)

// The modes of the option tls. Only verify-full makes sure who the server is.
const (
	VerifyFull = "verify-full"
	VerifyCA   = "verify-ca"
	Require    = "require"
	Disable    = "disable"
)

// tls returns the TLS configuration for the server of o. It is nil, for an unencrypted
// connection, only if disable was chosen.
func (o Options) tls() (*tls.Config, error) {
	roots, err := o.roots()
	if err != nil {
		return nil, err
	}
	c := &tls.Config{ServerName: o[Host], RootCAs: roots, MinVersion: tls.VersionTLS12}
	switch o[Security] {
	case VerifyFull:
		return c, nil
	case VerifyCA:
		c.InsecureSkipVerify = true // the standard check would compare the name as well; verifyChain follows instead
		c.VerifyConnection = func(s tls.ConnectionState) error { return verifyChain(s, roots) }
		return c, nil
	case Require:
		c.InsecureSkipVerify = true // chosen in the form, which explains what it means
		return c, nil
	case Disable:
		return nil, nil
	}
	return nil, fault.New(fault.Unprocessable, "there is no mode %q", o[Security]).At(Security)
}

// roots returns the trusted certificate authorities; nil means the system's.
func (o Options) roots() (*x509.CertPool, error) {
	if o[Authority] == "" {
		return nil, nil
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM([]byte(o[Authority])) {
		return nil, fault.New(fault.Unprocessable, "must be certificates in PEM").At(Authority)
	}
	return pool, nil
}

// verifyChain checks the certificate's signatures but not its name.
func verifyChain(s tls.ConnectionState, roots *x509.CertPool) error {
	if len(s.PeerCertificates) == 0 {
		return errors.New("the server has no certificate")
	}
	between := x509.NewCertPool()
	for _, c := range s.PeerCertificates[1:] {
		between.AddCert(c)
	}
	_, err := s.PeerCertificates[0].Verify(x509.VerifyOptions{Roots: roots, Intermediates: between})
	return err
}

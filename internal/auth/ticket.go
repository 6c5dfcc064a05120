package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"

	"quaestor/internal/fault"
)

// TicketKind is what a ticket is for. It is the prefix of the secret, by which people
// and secret scanners recognise it.
type TicketKind string

// The kinds.
const (
	Invitation TicketKind = "qsi_" // lets its bearer join a session, once
	Share      TicketKind = "qsb_" // shows its bearer a brief
	Guest      TicketKind = "qsg_" // brings a guest without an account back to a session
	Call       TicketKind = "qsc_" // opens one call of a session, once
)

// Ticket is what is stored of a secret that was handed out, and looked up by.
type Ticket struct {
	Tenant string // id; it is a part of the secret, so that the look-up names its tenant
	Hash   []byte // SHA-256 of the secret
}

const (
	tenantBytes = 16
	secretBytes = 32
)

// NewTicket returns a new secret of the tenant, which is shown once, and the ticket to
// store.
func NewTicket(kind TicketKind, tenant string) (secret string, t Ticket, err error) {
	id, err := hex.DecodeString(strings.ReplaceAll(tenant, "-", ""))
	if err != nil || len(id) != tenantBytes {
		return "", Ticket{}, fmt.Errorf("make ticket: %q is no tenant's id", tenant)
	}
	body := make([]byte, tenantBytes+secretBytes)
	copy(body, id)
	_, _ = rand.Read(body[tenantBytes:]) // never fails
	secret = string(kind) + base64.RawURLEncoding.EncodeToString(body)
	sum := sha256.Sum256([]byte(secret))
	return secret, Ticket{Tenant: tenant, Hash: sum[:]}, nil
}

// ReadTicket returns the ticket to look a secret up by. A text that is no secret of
// this kind is NotFound, as is one that was never handed out.
func ReadTicket(kind TicketKind, secret string) (Ticket, error) {
	rest, ok := strings.CutPrefix(secret, string(kind))
	body, err := base64.RawURLEncoding.Strict().DecodeString(rest)
	if !ok || err != nil || len(body) != tenantBytes+secretBytes || strings.ContainsAny(rest, "\r\n") {
		return Ticket{}, fault.New(fault.NotFound, "this is no link of ours, or not all of it")
	}
	id := hex.EncodeToString(body[:tenantBytes])
	sum := sha256.Sum256([]byte(secret))
	return Ticket{Tenant: id[:8] + "-" + id[8:12] + "-" + id[12:16] + "-" + id[16:20] + "-" + id[20:], Hash: sum[:]}, nil
}

package main

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/internal/secret/seal"
	"quaestor/research/warehouse/connections"
	"quaestor/sessions/settings/models"
)

// secretsCommand manages the keys that seal the passwords of warehouses and the keys of
// models.
type secretsCommand struct {
	Rotate rotateCommand `cmd:"" help:"Add a key to the file of keys and seal every kept password and key of a model with it. Old keys stay, for backups."`
}

// rotateCommand replaces the key that new passwords are sealed with.
type rotateCommand struct{}

// Run adds a key, writes the file, and seals every stored password and key with the new one.
// The file comes first: if the rest fails, each of them can still be opened with the
// key it was sealed with, and the command can be run again.
func (rotateCommand) Run(ctx context.Context, s *Settings, io *streams) error {
	path := s.secretsFile()
	if path == "" {
		return fault.New(fault.Invalid, "say where the keys are: QUAESTOR_SECRETS_FILE").At("--secrets-file")
	}
	old, err := seal.FromFile(path)
	if err != nil {
		return err
	}
	keys, err := seal.Rotate(old)
	if err != nil {
		return err
	}
	sealer, err := seal.New(keys)
	if err != nil {
		return err
	}
	if err := seal.Write(path, keys); err != nil {
		return err
	}
	return withDatabase(ctx, s, io, func(d *database, log *slog.Logger) error {
		pool, err := s.openPool(ctx, d.url)
		if err != nil {
			return err
		}
		defer pool.Close()
		n, err := resealAll(ctx, pool, sealer, log)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(io.out, "A new key seals from now on; %d kept passwords and keys were sealed with it. Give %s to every server, and start them again.\n", n, path)
		return err
	})
}

// resealAll seals every password and key of every tenant with the newest key and returns how
// many there were.
func resealAll(ctx context.Context, pool *pgxpool.Pool, sealer seal.Sealer, log *slog.Logger) (int, error) {
	tenants, err := auth.Tenants(ctx, pool)
	if err != nil {
		return 0, err
	}
	warehouses, own, all := connections.New(connections.Options{Pool: pool, Sealer: sealer, Log: log}), models.New(models.Options{Pool: pool, Sealer: sealer, Log: log}), 0
	for _, t := range tenants {
		for _, reseal := range []func(context.Context, string) (int, error){warehouses.Reseal, own.Reseal} {
			n, err := reseal(ctx, t.ID) // row by row, so what is done stays done
			if all += n; err != nil {
				return all, fmt.Errorf("seal the passwords and keys of %s: %w", t.Name, err)
			}
		}
	}
	return all, nil
}

package main

import (
	"context"
	"errors"
	"fmt"
)

// coldStart is the time from starting a program to the end of its first turn.
type coldStart struct {
	kind  string
	empty bool // on a database without tables
	took  sample
}

// measureStart starts programs again and again, and once on an empty database.
func (b *bench) measureStart(ctx context.Context) error {
	b.model.set(pace{pieces: b.pieces})
	for _, kind := range kinds {
		if kind == modelKind && b.results.modelless {
			continue
		}
		c := coldStart{kind: kind}
		for range b.starts {
			if err := b.startOnce(ctx, kind, b.cluster.URL(), &c); err != nil {
				return err
			}
		}
		b.results.starts = append(b.results.starts, &c)
	}
	if err := b.startEmpty(ctx); err != nil {
		return err
	}
	b.tellStart()
	return nil
}

// startOnce times one start. The model's own time is next to nothing here.
func (b *bench) startOnce(ctx context.Context, kind, database string, c *coldStart) error {
	began := b.now()
	s, err := b.startOn(ctx, kind, database)
	if err != nil {
		return err
	}
	e, err := b.firstTurn(ctx, s, c.empty)
	if err == nil && e.failed != "" {
		err = errors.New(e.failed)
	}
	c.took.add(e.ended - began)
	return errors.Join(err, s.stop())
}

// firstTurn takes one turn. An empty database knows the shipped objectives only.
func (b *bench) firstTurn(ctx context.Context, s *server, empty bool) (exchange, error) {
	t := b.talker(s, "first")
	if !empty {
		return t.say(ctx)
	}
	var e exchange
	err := t.post(ctx, fmt.Sprintf(`{"contextType":"business_profile","userId":%q,"message":"We bake bread."}`, t.name), &e)
	return e, err
}

func (b *bench) startEmpty(ctx context.Context) error {
	const name = "bench_empty"
	if _, err := b.db.Exec(ctx, "CREATE DATABASE "+name); err != nil {
		return err
	}
	url, err := b.sibling(name)
	if err != nil {
		return err
	}
	c := coldStart{kind: rulesKind, empty: true}
	if err := b.startOnce(ctx, rulesKind, url, &c); err != nil {
		return err
	}
	b.results.starts = append(b.results.starts, &c)
	_, err = b.db.Exec(ctx, "DROP DATABASE "+name+" WITH (FORCE)")
	return err
}

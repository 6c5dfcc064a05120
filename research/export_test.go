package research

import "context"

// Until takes a task and works it until ctx ends or it is over, and leaves
// everything as a process leaves it that is killed.
func (d *Researcher) Until(ctx context.Context, tenant, id string) error {
	t, err := d.acquire(ctx, tenant, id)
	if err != nil || t == nil {
		return err
	}
	return d.work(ctx, *t)
}

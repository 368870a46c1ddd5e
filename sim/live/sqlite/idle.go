package sqlite

import (
	"context"
	"time"

	"github.com/ratesim/ratesim/gcra"
)

// ClearIdle removes the budgets that are at rest: full, with no slot in the
// future ([gcra.Limit.AtRest]). A row that is missing decides as they do, so no
// decision changes, whenever it is called. It works in batches, a transaction
// each, and pauses between them, so that claims get their turns. It returns
// how many rows it removed.
func (s *Session) ClearIdle(ctx context.Context, batch int, pause time.Duration, now gcra.Instant) (cleared int64, err error) {
	for {
		if err := s.begin(); err != nil {
			return cleared, err
		}
		stamp := s.q.stamp(s.read(now))
		r, err := s.exec(`DELETE FROM solid_queue_rate_limits WHERE id IN (
			SELECT id FROM solid_queue_rate_limits WHERE theoretical_arrival_at <= ? AND last_slot_at <= ? ORDER BY id LIMIT ?)`, stamp, stamp, batch)
		n := int64(0)
		if err == nil {
			n, err = r.RowsAffected()
		}
		if err := s.commit(err); err != nil {
			return cleared, err
		}
		if cleared += n; n < int64(batch) {
			return cleared, nil
		}
		if pause <= 0 {
			continue
		}
		select {
		case <-ctx.Done():
			return cleared, ctx.Err()
		case <-time.After(pause):
		}
	}
}

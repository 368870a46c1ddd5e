package gcra

import (
	"testing"
	"time"
)

// FuzzLimit plays a sequence of gaps and tries, one byte each, against every
// kind of gate that takes the numbers: the promise holds, the bound holds, and
// what Earliest says comes true.
func FuzzLimit(f *testing.F) {
	f.Add(10, int64(time.Second), 6, []byte{0, 6, 200, 1, 255, 3})
	f.Add(1, int64(5*time.Second), 1, []byte{1, 2, 128, 9, 128, 1})
	f.Add(100, int64(time.Minute), 100, []byte{0, 255, 250, 255})
	f.Add(3, int64(1000001), 1, []byte{254, 1, 253, 2, 252, 3, 251, 4})
	f.Fuzz(func(t *testing.T, to int, per int64, burst int, moves []byte) {
		l := Limit{To: to, Per: time.Duration(per), Burst: burst}
		if l.Validate() == nil && l.MostInWindow() > to {
			t.Fatalf("%+v: a window holds %d", l, l.MostInWindow())
		}
		for _, kind := range kinds {
			g, err := NewGate(kind, l)
			if err != nil {
				continue
			}
			var passed []Instant
			now := Instant(0)
			for i := 0; i+1 < len(moves) && len(passed) < 2000; i += 2 {
				switch gap := moves[i]; gap {
				case 255:
					now = g.Earliest(now)
				case 254:
					now = max(now, g.Earliest(now)-1)
				case 253:
					now = now.Add(l.Per)
				case 252:
					now = now.Add(l.Per - 1)
				case 251:
					now = now.Add(g.Spacing())
				default:
					now = now.Add(l.Per / 250 * time.Duration(gap))
				}
				if now > Never/2 {
					break
				}
				for range moves[i+1] {
					may := g.Earliest(now) == now
					if ok := g.Check(now); ok != may {
						t.Fatalf("%s %+v at %d: admitted %v, Earliest said %v", kind, l, now, ok, may)
					} else if !ok {
						break
					}
					passed = append(passed, now)
				}
			}
			if len(passed) == 0 {
				continue
			}
			most := mostIn(passed, l.Per)
			if g.Promises() && most > l.To || most > g.MostInWindow() {
				t.Fatalf("%s %+v: a window holds %d, MostInWindow is %d: %v", kind, l, most, g.MostInWindow(), passed)
			}
		}
	})
}

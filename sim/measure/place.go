package measure

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ratesim/ratesim/model"
)

// Part is the kind of scope a key is asked of.
type Part uint8

const (
	Whole   Part = iota // all jobs
	OfLimit             // those of one limit
	OfClass             // those of one class
)

// Place is a key of one scope. The zero Place with a Key is that key of the
// whole.
type Place struct {
	Part  Part
	Index int // into Scenario.Limits or Scenario.Classes
	Key   Key
}

// At is the value of a replication, [Absent] if it has none.
func (r *Run) At(p Place) float64 {
	switch p.Part {
	case OfLimit:
		return r.Limits[p.Index][p.Key]
	case OfClass:
		return r.Classes[p.Index][p.Key]
	}
	return r.Whole[p.Key]
}

// Column is the value of each replication in turn.
func Column(runs []*Run, p Place) []float64 {
	values := make([]float64, len(runs))
	for i, r := range runs {
		values[i] = r.At(p)
	}
	return values
}

// splitKey takes the scope's name off a key: LIMIT.key, CLASS.key, or key
// alone. A name may hold dots itself, a key doesn't.
func splitKey(key string) (scope, name string) {
	if i := strings.LastIndexByte(key, '.'); i >= 0 {
		return key[:i], key[i+1:]
	}
	return "", key
}

// Find finds what a key as written asks for: a key of the whole, LIMIT.key or
// CLASS.key. It is an error, in one sentence, if nothing has that name or the
// key has no meaning in the scenario; bound_by, which is a word, is not found
// here.
func Find(s *model.Scenario, key string) (Place, error) {
	scope, name := splitKey(key)
	if err := checkName(scope, name, key); err != nil {
		return Place{}, err
	}
	k, numeric := Lookup(name)
	place, err := findScope(s, scope)
	if err != nil {
		return Place{}, err
	}
	if !numeric {
		if place.Part != Whole {
			return Place{}, fmt.Errorf("key %q has a meaning for the whole only: write %s", key, name)
		}
		return Place{}, fmt.Errorf("key %q is a word, not a number", key)
	}
	place.Key = k
	return place, meansSomething(s, key, place)
}

// Meaningful says in one sentence why a key as written can't be asked of a
// scenario, or nothing if it can.
func Meaningful(s *model.Scenario, key string) error {
	if key == BoundByName {
		return nil
	}
	_, err := Find(s, key)
	return err
}

func findScope(s *model.Scenario, scope string) (Place, error) {
	if scope == "" {
		return Place{}, nil
	}
	var names []string
	for i, l := range s.Limits {
		if l.Name == scope {
			return Place{Part: OfLimit, Index: i}, nil
		}
		names = append(names, l.Name)
	}
	for i, c := range s.Classes {
		if c.Name == scope {
			return Place{Part: OfClass, Index: i}, nil
		}
		names = append(names, c.Name)
	}
	if near := model.Nearest(scope, names); near != "" {
		return Place{}, fmt.Errorf("no limit or class is named %q, did you mean %q?", scope, near)
	}
	return Place{}, fmt.Errorf("no limit or class is named %q", scope)
}

func meansSomething(s *model.Scenario, key string, p Place) error {
	where := p.Key.Info().Scope
	switch {
	case p.Key >= Pops && p.Key <= Unlocked && s.Laravel == nil:
		return fmt.Errorf("key %q has no meaning here: system %s has none", key, s.System)
	case (p.Key == DispatcherPolls || p.Key == PromotedMaxPerS) && s.Laravel != nil:
		return fmt.Errorf("key %q has no meaning here: system %s has no dispatcher", key, s.System)
	case p.Key == Unlocked && !slices.ContainsFunc(s.Classes, func(c model.Class) bool { return c.Laravel.UniqueFor > 0 }):
		return fmt.Errorf("key %q has no meaning here: no job class has unique_for", key)
	case p.Key >= ProviderCalls && p.Key <= ProviderClosedMaxS && s.Provider == nil:
		return fmt.Errorf("key %q has no meaning here: the scenario has no provider", key)
	case where == ScopeAny, p.Part == OfLimit && where == ScopeLimit:
		return nil
	case where == ScopeWhole:
		if p.Part == Whole {
			return nil
		}
		return fmt.Errorf("key %q has a meaning for the whole only: write %s", key, p.Key)
	case p.Part == Whole:
		switch len(s.Limits) {
		case 0:
			return fmt.Errorf("key %q has no meaning here: the scenario has no limit", key)
		case 1:
			return nil
		}
		return fmt.Errorf("key %q has no meaning for the whole, which has %d limits: write one's name before it, such as %s.%s",
			key, len(s.Limits), s.Limits[0].Name, p.Key)
	}
	limit := s.Classes[p.Index].Limit
	if limit < 0 {
		return fmt.Errorf("key %q has no meaning: class %s has no limit", key, s.Classes[p.Index].Name)
	}
	for i, c := range s.Classes {
		if i != p.Index && c.Limit == limit {
			return fmt.Errorf("key %q has no meaning: class %s shares its limit with %s, so write %s.%s",
				key, s.Classes[p.Index].Name, c.Name, s.Limits[limit].Name, p.Key)
		}
	}
	return nil
}

// checkName checks the key's own name; full is the key as written.
func checkName(scope, name, full string) error {
	if _, ok := Lookup(name); ok || name == BoundByName {
		return nil
	}
	if name == "" {
		return errors.New("the key is empty, want a name such as drain_per_s")
	}
	near := model.Nearest(name, append(Names(), BoundByName))
	if near == "" {
		return fmt.Errorf("key %q is unknown, want one such as drain_per_s, window_max or wait_p99_s", full)
	}
	if scope != "" {
		near = scope + "." + near
	}
	return fmt.Errorf("key %q is unknown, did you mean %s?", full, near)
}

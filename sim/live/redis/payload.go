package redis

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/ratesim/ratesim/model"
)

// payload is a job as it stands in Redis. It begins with the uuid, as Laravel's
// does, so that jobs of one second come back in the order of their uuids.
type payload struct {
	UUID          string `json:"uuid"`
	DisplayName   string `json:"displayName"`
	MaxTries      *int   `json:"maxTries"`
	MaxExceptions *int   `json:"maxExceptions"`
	Timeout       *int64 `json:"timeout"`    // seconds
	RetryUntil    int64  `json:"retryUntil"` // since 1970; 0: none
	Number        int64  `json:"number"`     // the run's id of the job, from 1
	Class         int    `json:"class"`
	WaitedMS      int64  `json:"waitedMs"` // for its throttles, in all
	Attempts      int    `json:"attempts"`
}

// What is drawn for a job beside its service time hangs on these too, as in the
// simulation.
const (
	drawUUID = (iota + 1) << 40
	drawFails
	drawKilled
	drawCall
)

// newPayload is a job that comes now.
func newPayload(s *model.Scenario, seed uint64, class int, number int64) payload {
	c := &s.Classes[class]
	r := model.JobRand(seed, 0, number+drawUUID)
	a, b := r.Uint64(), r.Uint64()
	p := payload{
		UUID:        fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", a>>32, a>>16&0xFFFF, a&0xFFFF, b>>48, b&0xFFFF_FFFF_FFFF),
		DisplayName: c.Name, MaxTries: c.Laravel.Tries, Number: number, Class: class,
	}
	if c.Laravel.MaxExceptions > 0 {
		p.MaxExceptions = &c.Laravel.MaxExceptions
	}
	if t := c.Laravel.Timeout; t != nil {
		seconds := int64(*t / time.Second)
		p.Timeout = &seconds
	}
	if c.Laravel.RetryUntil > 0 {
		p.RetryUntil = second() + int64(c.Laravel.RetryUntil/time.Second)
	}
	return p
}

func (p payload) String() string {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // it is made of numbers and text
	}
	return string(text)
}

func parsePayload(text string, classes int) (p payload, err error) {
	if err = json.Unmarshal([]byte(text), &p); err == nil && (p.Class < 0 || p.Class >= classes || p.Number < 1) {
		err = fmt.Errorf("class %d, number %d", p.Class, p.Number)
	}
	if err != nil {
		return p, fmt.Errorf("a job can't be read: %w", err)
	}
	return p, nil
}

//go:build live

package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const realQueue = `
name: queue
system: laravel
limits: {api: {allow: 8, every: 1s}}
jobs: [{class: SendJob, limit: api, backlog: 200, takes: 20ms, timeout: 60s}]
workers: [{processes: 3, sleep: 0.2s}]
`

// realRedis starts a Redis of the test's own. Continuous integration has to
// have one.
func realRedis(t *testing.T) (port string, kill func()) {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		if os.Getenv("RATESIM_CI") != "" {
			t.Fatal("there is no redis-server, which continuous integration must have")
		}
		t.Skip("there is no redis-server")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ = net.SplitHostPort(l.Addr().String())
	_ = l.Close()
	cmd := exec.Command("redis-server", "--port", port, "--bind", "127.0.0.1", "--dir", t.TempDir(), "--save", "")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill = func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }
	t.Cleanup(kill)
	for range 100 {
		if c, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
			_ = c.Close()
			return port, kill
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("redis-server did not start")
	return "", nil
}

// redisSays is what Redis answers to an inline command.
func redisSays(t *testing.T, port, command string) string {
	t.Helper()
	c, err := net.Dial("tcp", "127.0.0.1:"+port)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(2 * time.Second))
	if _, err := c.Write([]byte(command + "\r\nQUIT\r\n")); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	buf := make([]byte, 4096)
	for {
		n, err := c.Read(buf)
		b.Write(buf[:n])
		if err != nil {
			return b.String()
		}
	}
}

// Ctrl-C in the middle of a run on Redis: what happened is told, its keys are
// gone, and those of others are as they were. With --keep they stay.
func TestRealRedisInterrupted(t *testing.T) {
	t.Parallel()
	port, _ := realRedis(t)
	program, file := build(t), filepath.Join(t.TempDir(), "queue.yml")
	if err := os.WriteFile(file, []byte(realQueue), 0o600); err != nil {
		t.Fatal(err)
	}
	redisSays(t, port, "SET theirs 1")
	for _, keep := range []bool{false, true} {
		args := []string{"live", file, "--redis", "redis://127.0.0.1:" + port}
		if keep {
			args = append(args, "--keep")
		}
		cmd := exec.Command(program, args...)
		var out, errs strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(1500 * time.Millisecond)
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != codeInterrupted || !strings.Contains(out.String(), "interrupted") || !strings.Contains(out.String(), "Jobs: ") {
			t.Errorf("exit code %d\n%s%s", code, out.String(), errs.String())
		}
		keys := redisSays(t, port, "KEYS *")
		if !strings.Contains(keys, "theirs") || strings.Contains(keys, "ratesim:") != keep || strings.Contains(out.String(), "The keys are kept") != keep {
			t.Errorf("keep %v: keys %q\n%s", keep, keys, out.String())
		}
	}
}

// A Redis that comes back without its data: the run ends, tells what is lost,
// and the exit code says that it is the machine's fault.
func TestRealRedisLosesItsData(t *testing.T) {
	t.Parallel()
	port, _ := realRedis(t)
	program, file := build(t), filepath.Join(t.TempDir(), "queue.yml")
	if err := os.WriteFile(file, []byte(realQueue), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "live", file, "--redis", "redis://127.0.0.1:"+port)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(1500 * time.Millisecond)
	redisSays(t, port, "FLUSHALL")
	_ = cmd.Wait()
	line := strings.TrimSpace(errs.String())
	if code := cmd.ProcessState.ExitCode(); code != codeMachine || !strings.Contains(line, "lost database: Redis came back without its data; ") || strings.Contains(line, "\n") || !strings.Contains(out.String(), " lost.") {
		t.Errorf("exit code %d\n%s\n%s", code, out.String(), line)
	}
}

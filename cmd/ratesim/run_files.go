package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/ratesim/ratesim/model"
)

// outFile is a file to be written that appears under its name only when it is
// whole. What is no plain file, such as a device or a pipe, is written as it
// is: it can't be half there.
type outFile struct {
	*os.File
	flag string // the flag that asked for it, for errors
	name string // as it was given
	to   string // where it goes when it is whole; "": it is there already
}

// createFile opens a file for writing, early, so that a folder that is not
// there is told before a long run and not after it.
func createFile(flag, name string) (*outFile, error) {
	f := &outFile{flag: flag, name: name, to: name}
	mode := fs.FileMode(0o666) // less what the umask takes
	switch info, err := os.Stat(name); {
	case err != nil:
	case info.IsDir():
		return nil, usagef("%s: %s is a folder, want a file", flag, name)
	case !info.Mode().IsRegular():
		f.to = ""
		if f.File, err = os.OpenFile(name, os.O_WRONLY, 0); err != nil {
			return nil, f.wrong(err)
		}
		return f, nil
	default:
		// A file that may not be written must not be replaced either, and one
		// that is reached by a link stays where it is.
		old, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return nil, f.wrong(err)
		}
		if err := old.Close(); err != nil {
			return nil, f.wrong(err)
		}
		mode = info.Mode().Perm()
		if f.to, err = filepath.EvalSymlinks(name); err != nil {
			return nil, f.wrong(err)
		}
	}
	dir := filepath.Dir(f.to)
	var err error
	for i := 0; ; i++ {
		part := filepath.Join(dir, fmt.Sprintf(".ratesim-%d-%d.part", os.Getpid(), i))
		if f.File, err = os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usagef("%s: %s: there is no folder %s", flag, name, dir)
	case err != nil:
		return nil, f.wrong(err)
	}
	return f, nil
}

// wrong names the flag and the file as given in an error, whatever the file is
// called while it is written.
func (f *outFile) wrong(err error) error {
	if err == nil {
		return nil
	}
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		err = at.Err
	case errors.As(err, &link):
		err = link.Err
	}
	for _, ours := range []error{syscall.ENAMETOOLONG, syscall.EROFS, syscall.ELOOP} {
		if errors.Is(err, ours) {
			return usagef("%s: %s: %v", f.flag, f.name, err)
		}
	}
	var exit *exitError
	if errors.As(fileError(&fs.PathError{Op: "write", Path: f.name, Err: err}), &exit) {
		return &exitError{exit.code, f.flag + ": " + exit.msg}
	}
	return err
}

// keep ends the file and gives it its name.
func (f *outFile) keep() error {
	err := f.Close()
	if err == nil && f.to != "" {
		err = os.Rename(f.Name(), f.to)
	}
	if err != nil {
		return f.wrong(err)
	}
	f.to = ""
	return nil
}

// discard takes away what was not kept. It may follow keep.
func (f *outFile) discard() {
	_ = f.Close() // closed already, or of no use to anybody
	if f.to != "" {
		_ = os.Remove(f.Name()) // there is nothing better to do with it
	}
}

// put writes a whole file.
func (f *outFile) put(write func(io.Writer) error) error {
	if err := write(f); err != nil {
		return f.wrong(err)
	}
	return f.keep()
}

// realPath is where a file is or would be, whatever links lead there.
func realPath(name string) (string, error) {
	at, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(at); err == nil {
		return real, nil
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(at)); err == nil {
		return filepath.Join(dir, filepath.Base(at)), nil
	}
	return at, nil
}

// taken refuses to write one file twice, or over a scenario that is run.
type taken map[string]string

// readBy are the files that scenarios are read from, their data too. A shipped
// one's is in nobody's folder.
func readBy(all ...*model.Scenario) taken {
	t := taken{}
	for _, s := range all {
		if _, err := os.Stat(s.File); err != nil {
			continue
		}
		for _, name := range append([]string{s.File}, s.Data...) {
			if at, err := realPath(name); err == nil {
				t[at] = "a file this run reads"
			}
		}
	}
	return t
}

func (t taken) take(flag, name string) error {
	at, err := realPath(name)
	if err != nil {
		return err
	}
	if by := t[at]; by != "" {
		return usagef("%s: %s is %s too, want another file", flag, name, by)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().IsRegular() {
		t[at] = "the file of a " + flag
	}
	return nil
}
